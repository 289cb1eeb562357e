package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Latest;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.PcpConfig;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.context.LedgerLine;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.text.PlainReader;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Looks at the sources of one window or trajectory, in one snapshot. */
final class Validating {
  private final PcpConfig settings;
  private final PlainReader reader;
  private final MemoryView view;
  private final Instant now;
  private final Issues issues;
  private final Latest<Source> facts;

  Validating(PcpConfig settings, PlainReader reader, MemoryView view, Instant now, Issues issues) {
    this.issues = issues;
    this.facts = new Latest<>(Contradicting.BY_TIME, settings.compareLimit());
    this.settings = settings;
    this.reader = reader;
    this.view = view;
    this.now = now;
  }

  /** What was found, and the newest facts, of which a search by meaning may find more. */
  record Looked(Issues issues, List<Source> facts) {}

  Looked window(Window window) {
    window.ledger().stream().filter(line -> line.decision().isIn()).forEach(this::line);
    return looked();
  }

  Looked trajectory(Id trajectory) {
    view.trajectory(trajectory);
    view.eachArtifact(
        trajectory, made -> Optional.of(made).filter(this::isLive).ifPresent(this::artifact));
    view.eachLearnedIn(
        trajectory, note -> Optional.of(note).filter(Note::isBelieved).ifPresent(this::note));
    return looked();
  }

  private boolean isLive(Artifact made) {
    return made.isLive(now);
  }

  private Looked looked() {
    List<Source> newest = facts.records();
    new Contradicting(reader, settings).among(newest, facts.all()).forEach(issues::add);
    return new Looked(issues, newest);
  }

  private void line(LedgerLine line) {
    Id id = line.candidate().id();
    switch (line.candidate().kind()) {
      case NOTE ->
          view.find(Note.TABLE, id)
              .ifPresentOrElse(this::note, () -> gone(EntityRef.of(EntityType.NOTE, id)));
      case ARTIFACT ->
          view.find(Artifact.TABLE, id)
              .ifPresentOrElse(this::artifact, () -> gone(EntityRef.of(EntityType.ARTIFACT, id)));
      case TURN -> aged(EntityRef.of(EntityType.TURN, id), line.candidate().time());
      case SCOPE -> aged(EntityRef.of(EntityType.SCOPE, id), line.candidate().time());
      case SYSTEM, TRAJECTORY -> {}
    }
    relevance(line);
  }

  private void relevance(LedgerLine line) {
    double relevance = line.candidate().scores().relevance();
    if (relevance < settings.grounding().confidenceThreshold()) {
      EntityType type = EntityType.valueOf(line.candidate().kind().name());
      EntityRef record = EntityRef.of(type, line.candidate().id());
      issues.add(Grounds.low(record, "relevance", relevance, settings.grounding()));
    }
  }

  private void note(Note note) {
    Source source = Source.of(note);
    if (!note.isBelieved()) {
      stale(source.record(), Severity.ERROR, "is no longer believed");
    } else if (note.valid().until().filter(end -> !end.isAfter(now)).isPresent()) {
      stale(source.record(), Severity.ERROR, "has expired");
    }
    look(source);
  }

  private void artifact(Artifact made) {
    Source source = Source.of(made);
    if (made.expiresAt().filter(end -> !end.isAfter(now)).isPresent()) {
      stale(source.record(), Severity.ERROR, "has expired");
    } else if (!made.isLive(now)) {
      stale(source.record(), Severity.ERROR, "was superseded or rolled back");
    }
    grounded(made);
    look(source);
  }

  private void grounded(Artifact made) {
    Grounds.missing(made, settings.grounding()).ifPresent(issues::add);
  }

  private void look(Source source) {
    aged(source.record(), source.time());
    Grounds.weak(source, settings.grounding()).ifPresent(issues::add);
    if (source.text().isPresent()) {
      facts.add(source);
    }
  }

  private void aged(EntityRef record, Instant time) {
    if (time.isBefore(now.minus(settings.staleAfter()))) {
      stale(record, Severity.WARNING, "is older than pcp.stale-after: from " + time);
    }
  }

  private void gone(EntityRef record) {
    stale(record, Severity.ERROR, "is no longer here");
  }

  private void stale(EntityRef record, Severity severity, String words) {
    issues.add(Issue.of(severity, IssueType.STALE_DATA, named(record) + " " + words, record));
  }

  static String named(EntityRef record) {
    String word = record.type().word();
    return Character.toUpperCase(word.charAt(0)) + word.substring(1) + " " + record.id();
  }

  /** Facts that mean nearly the same, by vectors; those that were compared already are left out. */
  static List<Issue> byMeaning(
      SearchIndex index, SpaceId space, Looked looked, PcpConfig settings) {
    Map<String, Source> facts =
        looked.facts().stream()
            .filter(Source::isArtifact)
            .collect(Collectors.toMap(source -> source.record().id(), Function.identity()));
    Set<Set<String>> told =
        looked.issues().named().stream()
            .filter(issue -> issue.type() == IssueType.CONTRADICTION)
            .map(issue -> Set.copyOf(issue.records().stream().map(EntityRef::id).toList()))
            .collect(Collectors.toCollection(HashSet::new));
    List<Issue> found = new ArrayList<>();
    for (Source fact : facts.values()) {
      near(index, space, fact, List.copyOf(facts.keySet()), settings).stream()
          .flatMap(key -> Optional.ofNullable(facts.get(key)).stream())
          .filter(other -> !other.text().equals(fact.text()))
          .filter(other -> told.add(Set.of(fact.record().id(), other.record().id())))
          .forEach(other -> found.add(Contradicting.unverified(fact, other)));
    }
    return found;
  }

  private static List<String> near(
      SearchIndex index, SpaceId space, Source fact, List<String> among, PcpConfig settings) {
    SearchQuery query =
        SearchQuery.of(space, fact.text().orElseThrow(), settings.compareLimit())
            .in(Artifact.TABLE.name())
            .where(SearchFilter.equal("artifact_type", "fact"))
            .atLeast(settings.contradictionSimilarity());
    return index.search(query).hits().stream()
        .filter(
            hit ->
                hit.similarity().isPresent()
                    && hit.similarity().getAsDouble() >= settings.contradictionSimilarity())
        .map(hit -> hit.key())
        .filter(key -> among.contains(key) && !key.equals(fact.record().id()))
        .toList();
  }
}
