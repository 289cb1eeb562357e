package dev.caliber.bench.eval;

import dev.caliber.bench.harness.IndexedStore;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.models.Models;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Memory and index as users have them, with the records of several subjects in one space. All reads
 * and writes use {@link Memory}, so its own search declarations are measured.
 */
final class SubjectStore implements AutoCloseable {
  private static final Duration AFTERWARDS = Duration.ofHours(1);
  private static final String TOKENIZER = "o200k_base";
  private static final String PERSON = "person";

  /** Prefix of a note's metadata entries, one for each turn that it comes from. */
  private static final String EVIDENCE = "evidence ";

  private final ManualClock clock = new ManualClock();
  private final IndexedStore opened;
  private final Memory memory;
  private final ProgressPrinter progressPrinter;
  private SpaceId space = new SpaceId("eval-none");

  private SubjectStore(
      StoreConfig.EngineSettings engine,
      SearchConfig settings,
      Models models,
      ProgressPrinter progressPrinter) {
    this.progressPrinter = progressPrinter;
    this.opened = IndexedStore.openForMemory(engine, settings, clock, models.embedder());
    this.memory =
        Memory.of(
            opened.store(),
            MemoryConfig.starter(),
            opened.dependencies(
                RuntimeConfig.starter(), models.tokenCounters().byName(TOKENIZER).orElseThrow()));
  }

  /**
   * @param indexes directory of the index of a store on PostgreSQL; that of SQLite is beside the
   *     store
   * @param weights of channels, instead of the starter file's
   */
  static SubjectStore open(
      StoreConfig.EngineSettings engine,
      Path indexes,
      Models models,
      Map<SearchChannel, Double> weights,
      ProgressPrinter progressPrinter) {
    return new SubjectStore(engine, searchConfig(indexes, weights), models, progressPrinter);
  }

  private static SearchConfig searchConfig(Path indexes, Map<SearchChannel, Double> weights) {
    String[] lines =
        weights.entrySet().stream()
            .map(
                weight ->
                    "search.ranking.%s = %s"
                        .formatted(
                            weight.getKey().name().toLowerCase(Locale.ROOT), weight.getValue()))
            .toArray(String[]::new);
    return IndexedStore.patient(SearchConfig.starter().with(lines), indexes);
  }

  /** Stores everything, unless a kept store has it, and waits for its words and vectors. */
  void load(List<SubjectRecords> subjects) {
    space = IndexedStore.spaceOf(subjects.toString());
    if (!opened.store().spaces().contains(space)) {
      opened.store().createSpace(space);
      writeRecords(subjects);
    }
    awaitVectors();
    clock.set(lastTime(subjects).plus(AFTERWARDS));
  }

  /** A session and its subject. */
  private record SubjectSession(String subject, SubjectRecords.RecordedSession session) {}

  /** Writes the records in the order of time, with the subjects interleaved. */
  private void writeRecords(List<SubjectRecords> subjects) {
    subjects.stream()
        .flatMap(
            each ->
                each.sessions().stream()
                    .map(recordedSession -> new SubjectSession(each.subject(), recordedSession)))
        .sorted(Comparator.comparing(subjectSession -> subjectSession.session.time()))
        .forEach(subjectSession -> writeRecords(subjectSession.subject, subjectSession.session));
  }

  private static Instant lastTime(List<SubjectRecords> subjects) {
    return subjects.stream()
        .flatMap(each -> each.sessions().stream())
        .map(SubjectRecords.RecordedSession::time)
        .max(Comparator.naturalOrder())
        .orElse(ManualClock.START);
  }

  private void writeRecords(String subject, SubjectRecords.RecordedSession recordedSession) {
    clock.set(recordedSession.time());
    Optional<Trajectory> trajectory =
        recordedSession.isOnlyNotes()
            ? Optional.empty()
            : Optional.of(startTrajectory(subject, recordedSession));
    recordedSession.notes().forEach(note -> writeRecords(subject, note, trajectory));
  }

  private Trajectory startTrajectory(
      String subject, SubjectRecords.RecordedSession recordedSession) {
    Trajectory trajectory =
        memory.run(
            space,
            StartTrajectory.of(recordedSession.name(), EntityRef.of(EntityType.SUBJECT, subject))
                .withLabels(Labels.ofSubject(subject).withExternalId(recordedSession.name())));
    Scope scope = memory.view(space, view -> view.currentScope(trajectory.id())).orElseThrow();
    if (!recordedSession.turns().isEmpty()) {
      memory.run(space, new AppendTurns(scope.id(), recordedSession.turns()));
    }
    if (!recordedSession.artifacts().isEmpty()) {
      memory.run(
          space,
          new CreateArtifacts(
              recordedSession.artifacts().stream()
                  .map(
                      text ->
                          NewArtifact.of(scope.id(), ArtifactType.CUSTOM, Bytes.of(text))
                              .withLabels(Labels.ofSubject(subject)))
                  .toList()));
    }
    return trajectory;
  }

  private void writeRecords(
      String subject, SubjectRecords.SubjectNote note, Optional<Trajectory> trajectory) {
    if (note.entity().isEmpty()) {
      memory.remember(space, NewNote.of(note.text()).withSubject(subject));
      return;
    }
    Labels labels = Labels.ofSubject(subject);
    for (String turn : note.evidence()) {
      labels = labels.withMetadata(EVIDENCE + turn, true);
    }
    WriteNote command =
        WriteNote.of(note.entity().get(), PERSON, NoteType.FACT, note.text()).withLabels(labels);
    memory.run(space, trajectory.map(task -> command.withSource(task.id())).orElse(command));
  }

  /** Remembers a text, and returns the id of the note. */
  String remember(String subject, String text) {
    return memory.remember(space, NewNote.of(text).withSubject(subject)).id().toString();
  }

  /** Waits until every record has its words and its vector in the index. */
  void awaitVectors() {
    opened.awaitVectors(space, "memory", progressPrinter, clock::advance);
  }

  /** Returns memory's hits, best first. */
  List<SubjectHit> recall(String query, RecallFilter filter, int limit) {
    RecallResult answer = memory.recall(space, RecallQuery.of(query, limit).withFilter(filter));
    return memory.view(
        space,
        view -> answer.hits().stream().map(recallHit -> resolveHit(view, recallHit)).toList());
  }

  private static SubjectHit resolveHit(MemoryView view, RecallResult.RecallHit recallHit) {
    return switch (recallHit.kind()) {
      case NOTE -> {
        Labels labels = view.note(recallHit.id()).labels();
        yield resolveHit(recallHit, labels, evidenceTurns(labels));
      }
      case TURN -> {
        Labels labels = view.turn(recallHit.id()).labels();
        yield resolveHit(
            recallHit, labels, labels.externalId().stream().collect(Collectors.toSet()));
      }
      default -> resolveHit(recallHit, view.artifact(recallHit.id()).labels(), Set.of());
    };
  }

  private static Set<String> evidenceTurns(Labels labels) {
    return labels.metadata().keySet().stream()
        .filter(key -> key.startsWith(EVIDENCE))
        .map(key -> key.substring(EVIDENCE.length()))
        .collect(Collectors.toSet());
  }

  private static SubjectHit resolveHit(
      RecallResult.RecallHit recallHit, Labels labels, Set<String> turns) {
    return new SubjectHit(
        recallHit.kind(),
        labels.externalId().orElseGet(() -> recallHit.id().toString()),
        labels.subject().orElse(""),
        recallHit.text(),
        recallHit.similarity(),
        recallHit.tokens(),
        turns);
  }

  @Override
  public void close() {
    opened.close();
  }
}
