package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Extract;
import dev.caliber.memory.spi.FindingKind;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.text.Finding;
import dev.caliber.memory.text.PlainReader;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** What turns come to, read by rules: summaries and artifacts. */
final class Digest {
  /** The metadata that says whom or what an artifact says something about. */
  static final String ABOUT = "about";

  private static final int SCHEMA = 1;
  private static final String FALLBACK = "the extractor failed";

  private final PlainReader reader;
  private final MemoryConfig.Limits limits;
  private final Map<FindingKind, Double> confidence;

  Digest(MemoryConfig config) {
    this.confidence = config.text().confidence();
    this.reader = PlainReader.of(config.text());
    this.limits = config.limits();
  }

  /** The reader itself, which remembers what it has read. */
  PlainReader reader() {
    return reader;
  }

  /** What a summary of a scope is made of. */
  List<Passage> passages(MemoryView view, Scope scope) {
    return passages(view.lastTurns(scope.id(), limits.summarized()));
  }

  /** What a summary of a task is made of. */
  TaskPassages passages(MemoryView view, Id trajectory, MemoryKind kind, Instant now) {
    return TaskPassages.of(view, trajectory, kind, now, limits.summarized());
  }

  /** The newest live turns, up to the limit, as passages. */
  List<Passage> passages(List<Turn> turns) {
    List<Turn> live = turns.stream().filter(turn -> turn.rolledBackAt().isEmpty()).toList();
    return live.subList(Math.max(0, live.size() - limits.summarized()), live.size()).stream()
        .map(Digest::passage)
        .toList();
  }

  /** Which part of a scope its last turns are; they are counted only where there may be more. */
  Optional<Summary.Extent> extent(MemoryView view, Id scope, int last) {
    return Optional.of(last)
        .filter(seen -> seen >= limits.summarized())
        .map(seen -> new Summary.Extent("turns", seen, view.countTurns(scope)))
        .filter(part -> part.all() > part.newest());
  }

  /**
   * What is made of turns.
   *
   * @param leftOut how many more were found, and are too many for a commit or too large
   */
  record Wanted(List<CreateArtifact> artifacts, int leftOut) {}

  /** Artifacts for what the rules find in the turns, and for every tool result. */
  Wanted artifacts(Scope scope, List<Turn> turns) {
    return newest(turns, turn -> Stream.concat(byRules(scope, turn), toolResults(scope, turn)));
  }

  /** The same for what somebody else has found, in place of what the rules find. */
  Wanted artifacts(Scope scope, List<Turn> turns, Extract extract) {
    return newest(
        turns, turn -> Stream.concat(found(scope, turn, extract), toolResults(scope, turn)));
  }

  /** The same by rules, because whoever should have looked has failed; they say so. */
  Wanted stoodIn(Scope scope, List<Turn> turns) {
    return newest(
        turns,
        turn ->
            Stream.concat(
                byRules(scope, turn)
                    .map(made -> made.labelled(made.labels().with("fallback", FALLBACK))),
                toolResults(scope, turn)));
  }

  /** The newest ones, as many as one commit may make. */
  private Wanted newest(List<Turn> turns, Function<Turn, Stream<CreateArtifact>> artifacts) {
    List<CreateArtifact> found = turns.stream().filter(Turn::isLive).flatMap(artifacts).toList();
    List<CreateArtifact> small =
        found.stream().filter(made -> made.content().size() <= limits.artifact().bytes()).toList();
    List<CreateArtifact> kept =
        small.subList(Math.max(0, small.size() - limits.extracted()), small.size());
    return new Wanted(kept, found.size() - kept.size());
  }

  private Stream<CreateArtifact> byRules(Scope scope, Turn turn) {
    return texts(turn)
        .flatMap(text -> reader.findings(text).stream())
        .filter(found -> found.kind() != FindingKind.FACT || turn.role() == Role.USER)
        .map(found -> artifact(scope, turn, found));
  }

  /** What the rules find that a user states. */
  Stream<LearningWork.Stated> statements(Turn turn) {
    return texts(turn)
        .flatMap(text -> reader.statements(text).stream())
        .map(
            found ->
                new LearningWork.Stated(
                    turn,
                    found.kind(),
                    found.text(),
                    Optional.empty(),
                    found.rule(),
                    found.confidence()));
  }

  /** What a model has found that a user states. */
  Stream<LearningWork.Stated> statements(Turn turn, Extract extract) {
    return extract.findings().stream()
        .filter(found -> found.source().equals(turn.id()))
        .map(
            found ->
                new LearningWork.Stated(
                    turn,
                    found.kind(),
                    found.text(),
                    found.about(),
                    extract.method(),
                    Objects.requireNonNull(confidence.get(found.kind()))));
  }

  private static Stream<String> texts(Turn turn) {
    return turn.parts().stream()
        .flatMap(part -> part instanceof Part.Text(var text) ? Stream.of(text) : Stream.of());
  }

  private static Stream<CreateArtifact> toolResults(Scope scope, Turn turn) {
    return turn.parts().stream()
        .flatMap(
            part ->
                part instanceof Part.ToolResult(_, var content, var failed) && !content.isBlank()
                    ? Stream.of(toolResult(scope, turn, content, failed))
                    : Stream.of());
  }

  private Stream<CreateArtifact> found(Scope scope, Turn turn, Extract extract) {
    return extract.findings().stream()
        .filter(found -> found.source().equals(turn.id()))
        .map(found -> artifact(scope, turn, extract.method(), found));
  }

  private CreateArtifact artifact(Scope scope, Turn turn, String method, Extract.Found found) {
    Labels labels = turn.labels().subjectOnly().with("rule", method);
    double sure = Objects.requireNonNull(confidence.get(found.kind()));
    return made(scope, turn, type(found.kind()), found.text(), sure)
        .labelled(found.about().map(about -> labels.with(ABOUT, about)).orElse(labels));
  }

  private static CreateArtifact artifact(Scope scope, Turn turn, Finding found) {
    return made(scope, turn, type(found.kind()), found.text(), found.confidence())
        .labelled(turn.labels().subjectOnly().with("rule", found.rule()));
  }

  /** A tool's own words are certain; what failed is an error. */
  private static CreateArtifact toolResult(Scope scope, Turn turn, String content, boolean failed) {
    ArtifactType type = failed ? ArtifactType.ERROR_LOG : ArtifactType.TOOL_RESULT;
    return made(scope, turn, type, content, 1).labelled(turn.labels().subjectOnly());
  }

  private static CreateArtifact made(
      Scope scope, Turn turn, ArtifactType type, String content, double confidence) {
    return new CreateArtifact(
        scope.id(),
        type,
        Bytes.of(content),
        Provenance.inferred(turn, confidence),
        Ttl.persistent(),
        SCHEMA,
        Labels.none());
  }

  static ArtifactType type(FindingKind kind) {
    return switch (kind) {
      case ERROR -> ArtifactType.ERROR_LOG;
      case CODE_PATCH -> ArtifactType.CODE_PATCH;
      case DECISION -> ArtifactType.DESIGN_DECISION;
      case PREFERENCE -> ArtifactType.USER_PREFERENCE;
      case CONSTRAINT -> ArtifactType.CONSTRAINT;
      case FACT -> ArtifactType.FACT;
    };
  }

  /** Chooses among passages of whatever kind. */
  Summary summarize(List<Passage> passages) {
    return reader.summarize(passages);
  }

  static Stream<Passage> passages(Summary summary) {
    return summary.sentences().stream()
        .map(sentence -> new Passage(sentence.source(), "", sentence.text()));
  }

  static Stream<Passage> passage(Artifact artifact) {
    return artifact.content().text().stream().map(text -> new Passage(artifact.id(), "", text));
  }

  static Passage passage(Note note) {
    return new Passage(note.id(), "", note.content());
  }

  private static Passage passage(Turn turn) {
    return new Passage(turn.id(), turn.role().name().toLowerCase(Locale.ROOT), turn.words());
  }
}
