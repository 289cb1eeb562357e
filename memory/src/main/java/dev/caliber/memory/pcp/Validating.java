package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Latest;
import dev.caliber.kernel.config.PcpConfig;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.context.LedgerLine;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.text.PlainReader;
import dev.caliber.store.search.SearchFilter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
      case TURN -> {
        EntityRef turn = EntityRef.of(EntityType.TURN, id);
        view.find(Turn.TABLE, id)
            .ifPresentOrElse(found -> said(turn, found.rolledBackAt()), () -> gone(turn));
        aged(turn, line.candidate().time());
      }
      case SCOPE -> {
        EntityRef scope = EntityRef.of(EntityType.SCOPE, id);
        view.find(Scope.TABLE, id)
            .ifPresentOrElse(found -> said(scope, found.rolledBackAt()), () -> gone(scope));
        aged(scope, line.candidate().time());
      }
      case SYSTEM, TRAJECTORY -> {}
    }
    relevance(line);
  }

  /** What was said stays as it is, but a return may have taken it away. */
  private void said(EntityRef record, Optional<Instant> rolledBack) {
    if (rolledBack.isPresent()) {
      stale(record, Severity.ERROR, "was rolled back");
    }
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
  static List<Issue> byMeaning(Nearness nearness, Looked looked, PcpConfig settings) {
    Map<String, Source> facts =
        looked.facts().stream()
            .filter(source -> source.isArtifact() && source.standing())
            .sorted(Comparator.comparing(Source::time).reversed())
            .collect(
                Collectors.toMap(
                    source -> source.record().id(),
                    Function.identity(),
                    (one, _) -> one,
                    LinkedHashMap::new));
    Set<Set<String>> told =
        looked.issues().named().stream()
            .filter(issue -> issue.type() == IssueType.CONTRADICTION)
            .map(issue -> Set.copyOf(issue.records().stream().map(EntityRef::id).toList()))
            .collect(Collectors.toCollection(HashSet::new));
    List<Issue> found = new ArrayList<>();
    for (Source fact : facts.values()) {
      near(nearness, fact, settings)
          .flatMap(key -> Optional.ofNullable(facts.get(key)).stream())
          .filter(other -> !other.text().equals(fact.text()))
          .filter(other -> told.add(Set.of(fact.record().id(), other.record().id())))
          .forEach(other -> found.add(Contradicting.unverified(other, fact)));
    }
    nearness.shortfall().map(why -> Issue.notCompared("Facts", why)).ifPresent(found::add);
    return found;
  }

  private static Stream<String> near(Nearness nearness, Source fact, PcpConfig settings) {
    return nearness
        .to(
            fact.record().id(),
            fact.text().orElseThrow(),
            settings.contradictionSimilarity(),
            settings.compareLimit(),
            Optional.of(SearchFilter.equal("artifact_type", "fact")))
        .stream();
  }
}
