package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.spi.ExtractionResult;
import dev.caliber.memory.spi.FindingKind;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.text.RuleBasedTextAnalyzer;
import dev.caliber.memory.text.TextFinding;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryView;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Rules that make summaries and artifacts of turns. */
public final class RuleBasedExtraction {
  /** Metadata key of the entity that an artifact is about. */
  public static final String ABOUT = "about";

  private static final int SCHEMA = 1;
  private static final String FALLBACK = "the extractor failed";

  private final RuleBasedTextAnalyzer reader;
  private final MemoryConfig.MemoryLimits memoryLimits;
  private final Map<FindingKind, Double> confidence;

  public RuleBasedExtraction(MemoryConfig config) {
    this.confidence = config.text().confidence();
    this.reader = RuleBasedTextAnalyzer.of(config.text());
    this.memoryLimits = config.limits();
  }

  /** Returns the text analyzer, which caches what it has analyzed. */
  public RuleBasedTextAnalyzer reader() {
    return reader;
  }

  /** Returns the passages for a summary of a scope. */
  public List<Passage> scopePassages(MemoryView view, Scope scope) {
    return turnPassages(view.lastTurns(scope.id(), memoryLimits.summarySources()));
  }

  /** Returns the passages for a summary of a trajectory. */
  public TaskPassages taskPassages(MemoryView view, Id trajectory, MemoryKind kind, Instant now) {
    return TaskPassages.of(view, trajectory, kind, now, memoryLimits.summarySources());
  }

  /** Returns the newest live turns, up to the limit, as passages. */
  public List<Passage> turnPassages(List<Turn> turns) {
    List<Turn> live = turns.stream().filter(turn -> turn.rolledBackAt().isEmpty()).toList();
    return live
        .subList(Math.max(0, live.size() - memoryLimits.summarySources()), live.size())
        .stream()
        .map(RuleBasedExtraction::turnPassage)
        .toList();
  }

  /** Returns which part of a scope its last turns are; counts only if there may be more. */
  Optional<Summary.SummaryExtent> scopeExtent(MemoryView view, Id scope, int last) {
    return Optional.of(last)
        .filter(seen -> seen >= memoryLimits.summarySources())
        .map(seen -> new Summary.SummaryExtent("turns", seen, view.countTurns(scope)))
        .filter(part -> part.all() > part.newest());
  }

  /**
   * Artifacts to create from turns.
   *
   * @param leftOut number of further findings that are too many for a commit or too large
   */
  record ExtractedArtifacts(List<NewArtifact> artifacts, int leftOut) {}

  /** Returns artifacts for findings of the rules and for every tool result. */
  ExtractedArtifacts artifactsByRules(Scope scope, List<Turn> turns) {
    return newestArtifacts(
        turns, turn -> Stream.concat(ruleFindings(scope, turn), toolResults(scope, turn)));
  }

  /** Returns artifacts for findings of a model and for every tool result. */
  ExtractedArtifacts artifactsOfModel(
      Scope scope, List<Turn> turns, ExtractionResult extractionResult) {
    return newestArtifacts(
        turns,
        turn ->
            Stream.concat(modelFindings(scope, turn, extractionResult), toolResults(scope, turn)));
  }

  /** Returns artifacts by rules after the extractor failed; metadata marks the fallback. */
  ExtractedArtifacts fallbackArtifacts(Scope scope, List<Turn> turns) {
    return newestArtifacts(
        turns,
        turn ->
            Stream.concat(
                ruleFindings(scope, turn)
                    .map(made -> made.withLabels(made.labels().withMetadata("fallback", FALLBACK))),
                toolResults(scope, turn)));
  }

  /** Keeps the newest artifacts, up to {@code memory.limits.extracted-artifacts}. */
  private ExtractedArtifacts newestArtifacts(
      List<Turn> turns, Function<Turn, Stream<NewArtifact>> artifacts) {
    List<NewArtifact> found = turns.stream().filter(Turn::isLive).flatMap(artifacts).toList();
    List<NewArtifact> small =
        found.stream()
            .filter(made -> made.content().size() <= memoryLimits.artifact().bytes())
            .toList();
    List<NewArtifact> kept =
        small.subList(Math.max(0, small.size() - memoryLimits.extractedArtifacts()), small.size());
    return new ExtractedArtifacts(kept, found.size() - kept.size());
  }

  private Stream<NewArtifact> ruleFindings(Scope scope, Turn turn) {
    return texts(turn)
        .flatMap(text -> reader.findings(text).stream())
        .filter(found -> found.kind() != FindingKind.FACT || turn.role() == TurnRole.USER)
        .map(found -> artifact(scope, turn, found));
  }

  /** Returns statements of a user that the rules find. */
  Stream<LearnFromTurnsHandler.UserStatement> statements(Turn turn) {
    return texts(turn)
        .flatMap(text -> reader.statements(text).stream())
        .map(
            found ->
                new LearnFromTurnsHandler.UserStatement(
                    turn,
                    found.kind(),
                    found.text(),
                    Optional.empty(),
                    found.rule(),
                    found.confidence()));
  }

  /** Returns statements of a user that a model has found. */
  Stream<LearnFromTurnsHandler.UserStatement> statements(
      Turn turn, ExtractionResult extractionResult) {
    return extractionResult.findings().stream()
        .filter(extractedFinding -> extractedFinding.source().equals(turn.id()))
        .map(
            extractedFinding ->
                new LearnFromTurnsHandler.UserStatement(
                    turn,
                    extractedFinding.kind(),
                    extractedFinding.text(),
                    extractedFinding.about(),
                    extractionResult.method(),
                    Objects.requireNonNull(confidence.get(extractedFinding.kind()))));
  }

  private static Stream<String> texts(Turn turn) {
    return turn.parts().stream()
        .flatMap(
            turnPart ->
                turnPart instanceof TurnPart.TextPart(var text) ? Stream.of(text) : Stream.of());
  }

  private static Stream<NewArtifact> toolResults(Scope scope, Turn turn) {
    return turn.parts().stream()
        .flatMap(
            turnPart ->
                turnPart instanceof TurnPart.ToolResultPart(_, var content, var failed)
                        && !content.isBlank()
                    ? Stream.of(toolResult(scope, turn, content, failed))
                    : Stream.of());
  }

  private Stream<NewArtifact> modelFindings(
      Scope scope, Turn turn, ExtractionResult extractionResult) {
    return extractionResult.findings().stream()
        .filter(extractedFinding -> extractedFinding.source().equals(turn.id()))
        .map(
            extractedFinding -> artifact(scope, turn, extractionResult.method(), extractedFinding));
  }

  private NewArtifact artifact(
      Scope scope, Turn turn, String method, ExtractionResult.ExtractedFinding extractedFinding) {
    Labels labels = turn.labels().subjectOnly().withMetadata("rule", method);
    double sure = Objects.requireNonNull(confidence.get(extractedFinding.kind()));
    return newArtifact(
            scope, turn, artifactType(extractedFinding.kind()), extractedFinding.text(), sure)
        .withLabels(
            extractedFinding
                .about()
                .map(about -> labels.withMetadata(ABOUT, about))
                .orElse(labels));
  }

  private static NewArtifact artifact(Scope scope, Turn turn, TextFinding found) {
    return newArtifact(scope, turn, artifactType(found.kind()), found.text(), found.confidence())
        .withLabels(turn.labels().subjectOnly().withMetadata("rule", found.rule()));
  }

  /** Creates an artifact of a tool result with full confidence; a failed result is an error log. */
  private static NewArtifact toolResult(Scope scope, Turn turn, String content, boolean failed) {
    ArtifactType type = failed ? ArtifactType.ERROR_LOG : ArtifactType.TOOL_RESULT;
    return newArtifact(scope, turn, type, content, 1).withLabels(turn.labels().subjectOnly());
  }

  private static NewArtifact newArtifact(
      Scope scope, Turn turn, ArtifactType type, String content, double confidence) {
    return new NewArtifact(
        scope.id(),
        type,
        Bytes.of(content),
        Provenance.inferred(turn, confidence),
        Ttl.persistent(),
        SCHEMA,
        Labels.none());
  }

  static ArtifactType artifactType(FindingKind kind) {
    return switch (kind) {
      case ERROR -> ArtifactType.ERROR_LOG;
      case CODE_PATCH -> ArtifactType.CODE_PATCH;
      case DECISION -> ArtifactType.DESIGN_DECISION;
      case PREFERENCE -> ArtifactType.USER_PREFERENCE;
      case CONSTRAINT -> ArtifactType.CONSTRAINT;
      case FACT -> ArtifactType.FACT;
    };
  }

  /** Summarizes passages by rules. */
  public Summary summarize(List<Passage> passages) {
    return reader.summarize(passages);
  }

  static Stream<Passage> sentencePassages(Summary summary) {
    return summary.sentences().stream()
        .map(summarySentence -> new Passage(summarySentence.source(), "", summarySentence.text()));
  }

  static Stream<Passage> artifactPassages(Artifact artifact) {
    return artifact.content().text().stream().map(text -> new Passage(artifact.id(), "", text));
  }

  public static Passage notePassage(Note note) {
    return new Passage(note.id(), "", note.content());
  }

  private static Passage turnPassage(Turn turn) {
    return new Passage(
        turn.id(), turn.role().name().toLowerCase(Locale.ROOT), turn.searchableText());
  }
}
