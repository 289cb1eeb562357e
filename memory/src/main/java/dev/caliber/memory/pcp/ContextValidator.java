package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.LatestRecords;
import dev.caliber.kernel.config.ContextIntegrityConfig;
import dev.caliber.memory.context.window.LedgerLine;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.text.RuleBasedTextAnalyzer;
import dev.caliber.memory.view.MemoryView;
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

/** Validates the sources of one window or trajectory in one snapshot. */
final class ContextValidator {
  private final ContextIntegrityConfig settings;
  private final RuleBasedTextAnalyzer reader;
  private final MemoryView view;
  private final Instant now;
  private final IssueCollector issueCollector;
  private final LatestRecords<EvidenceRecord> facts;

  ContextValidator(
      ContextIntegrityConfig settings,
      RuleBasedTextAnalyzer reader,
      MemoryView view,
      Instant now,
      IssueCollector issueCollector) {
    this.issueCollector = issueCollector;
    this.facts = new LatestRecords<>(ContradictionFinder.BY_TIME, settings.factComparisonLimit());
    this.settings = settings;
    this.reader = reader;
    this.view = view;
    this.now = now;
  }

  /** Issues found, and the newest facts, for which a search by meaning may find more issues. */
  record ValidationFindings(IssueCollector issues, List<EvidenceRecord> facts) {}

  ValidationFindings validateWindow(Window window) {
    window.ledger().stream().filter(line -> line.decision().isIncluded()).forEach(this::checkLine);
    return findings();
  }

  ValidationFindings validateTrajectory(Id trajectory) {
    view.trajectory(trajectory);
    view.forEachArtifact(
        trajectory, made -> Optional.of(made).filter(this::isLive).ifPresent(this::checkArtifact));
    view.forEachNoteLearnedIn(
        trajectory, note -> Optional.of(note).filter(Note::isBelieved).ifPresent(this::checkNote));
    return findings();
  }

  private boolean isLive(Artifact made) {
    return made.isLive(now);
  }

  private ValidationFindings findings() {
    List<EvidenceRecord> newest = facts.records();
    new ContradictionFinder(reader, settings)
        .findContradictions(newest, facts.totalCount())
        .forEach(issueCollector::add);
    return new ValidationFindings(issueCollector, newest);
  }

  private void checkLine(LedgerLine line) {
    Id id = line.candidate().id();
    switch (line.candidate().kind()) {
      case NOTE ->
          view.find(Note.TABLE, id)
              .ifPresentOrElse(
                  this::checkNote, () -> addMissingIssue(EntityRef.of(EntityType.NOTE, id)));
      case ARTIFACT ->
          view.find(Artifact.TABLE, id)
              .ifPresentOrElse(
                  this::checkArtifact,
                  () -> addMissingIssue(EntityRef.of(EntityType.ARTIFACT, id)));
      case TURN -> {
        EntityRef turn = EntityRef.of(EntityType.TURN, id);
        view.find(Turn.TABLE, id)
            .ifPresentOrElse(
                found -> checkRolledBack(turn, found.rolledBackAt()), () -> addMissingIssue(turn));
        checkAge(turn, line.candidate().time());
      }
      case SCOPE -> {
        EntityRef scope = EntityRef.of(EntityType.SCOPE, id);
        view.find(Scope.TABLE, id)
            .ifPresentOrElse(
                found -> checkRolledBack(scope, found.rolledBackAt()),
                () -> addMissingIssue(scope));
        checkAge(scope, line.candidate().time());
      }
      case SYSTEM, TRAJECTORY -> {}
    }
    checkRelevance(line);
  }

  /** Turns and scopes do not change, but a rollback may have removed them. */
  private void checkRolledBack(EntityRef record, Optional<Instant> rolledBack) {
    if (rolledBack.isPresent()) {
      addStaleIssue(record, IssueSeverity.ERROR, "was rolled back");
    }
  }

  private void checkRelevance(LedgerLine line) {
    double relevance = line.candidate().scores().relevance();
    if (relevance < settings.grounding().confidenceThreshold()) {
      EntityType type = EntityType.valueOf(line.candidate().kind().name());
      EntityRef record = EntityRef.of(type, line.candidate().id());
      issueCollector.add(
          GroundingCheck.lowScoreIssue(record, "relevance", relevance, settings.grounding()));
    }
  }

  private void checkNote(Note note) {
    EvidenceRecord evidenceRecord = EvidenceRecord.of(note);
    if (!note.isBelieved()) {
      addStaleIssue(evidenceRecord.record(), IssueSeverity.ERROR, "is no longer believed");
    } else if (note.valid().until().filter(end -> !end.isAfter(now)).isPresent()) {
      addStaleIssue(evidenceRecord.record(), IssueSeverity.ERROR, "has expired");
    }
    checkEvidence(evidenceRecord);
  }

  private void checkArtifact(Artifact made) {
    EvidenceRecord evidenceRecord = EvidenceRecord.of(made);
    if (made.expiresAt().filter(end -> !end.isAfter(now)).isPresent()) {
      addStaleIssue(evidenceRecord.record(), IssueSeverity.ERROR, "has expired");
    } else if (!made.isLive(now)) {
      addStaleIssue(evidenceRecord.record(), IssueSeverity.ERROR, "was superseded or rolled back");
    }
    checkGrounding(made);
    checkEvidence(evidenceRecord);
  }

  private void checkGrounding(Artifact made) {
    GroundingCheck.missingSource(made, settings.grounding()).ifPresent(issueCollector::add);
  }

  private void checkEvidence(EvidenceRecord evidenceRecord) {
    checkAge(evidenceRecord.record(), evidenceRecord.time());
    GroundingCheck.lowConfidence(evidenceRecord, settings.grounding())
        .ifPresent(issueCollector::add);
    if (evidenceRecord.text().isPresent()) {
      facts.add(evidenceRecord);
    }
  }

  private void checkAge(EntityRef record, Instant time) {
    if (time.isBefore(now.minus(settings.staleAfter()))) {
      addStaleIssue(record, IssueSeverity.WARNING, "is older than pcp.stale-after: from " + time);
    }
  }

  private void addMissingIssue(EntityRef record) {
    addStaleIssue(record, IssueSeverity.ERROR, "no longer exists");
  }

  private void addStaleIssue(EntityRef record, IssueSeverity issueSeverity, String words) {
    issueCollector.add(
        Issue.of(issueSeverity, IssueType.STALE_DATA, displayName(record) + " " + words, record));
  }

  static String displayName(EntityRef record) {
    String word = record.type().lowerCaseName();
    return Character.toUpperCase(word.charAt(0)) + word.substring(1) + " " + record.id();
  }

  /** Finds facts that are similar by their vectors; pairs that the rules reported are left out. */
  static List<Issue> findSimilarFacts(
      SimilarArtifactSearch similarArtifactSearch,
      ValidationFindings validationFindings,
      ContextIntegrityConfig settings) {
    Map<String, EvidenceRecord> facts =
        validationFindings.facts().stream()
            .filter(evidenceRecord -> evidenceRecord.isArtifact() && evidenceRecord.standing())
            .sorted(Comparator.comparing(EvidenceRecord::time).reversed())
            .collect(
                Collectors.toMap(
                    evidenceRecord -> evidenceRecord.record().id(),
                    Function.identity(),
                    (one, _) -> one,
                    LinkedHashMap::new));
    Set<Set<String>> reported =
        validationFindings.issues().namedIssues().stream()
            .filter(issue -> issue.type() == IssueType.CONTRADICTION)
            .map(issue -> Set.copyOf(issue.records().stream().map(EntityRef::id).toList()))
            .collect(Collectors.toCollection(HashSet::new));
    List<Issue> found = new ArrayList<>();
    for (EvidenceRecord fact : facts.values()) {
      similarKeys(similarArtifactSearch, fact, settings)
          .flatMap(key -> Optional.ofNullable(facts.get(key)).stream())
          .filter(other -> !other.text().equals(fact.text()))
          .filter(other -> reported.add(Set.of(fact.record().id(), other.record().id())))
          .forEach(other -> found.add(ContradictionFinder.unverifiedIssue(other, fact)));
    }
    similarArtifactSearch
        .incompleteReason()
        .map(why -> Issue.incompleteComparison("Facts", why))
        .ifPresent(found::add);
    return found;
  }

  private static Stream<String> similarKeys(
      SimilarArtifactSearch similarArtifactSearch,
      EvidenceRecord fact,
      ContextIntegrityConfig settings) {
    return similarArtifactSearch
        .findSimilar(
            fact.record().id(),
            fact.text().orElseThrow(),
            settings.contradictionSimilarity(),
            settings.factComparisonLimit(),
            Optional.of(SearchFilter.equal("artifact_type", "fact")))
        .stream();
  }
}
