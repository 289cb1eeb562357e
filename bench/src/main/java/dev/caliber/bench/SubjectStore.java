package dev.caliber.bench;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Recollection;
import dev.caliber.memory.command.Remember;
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
import dev.caliber.models.Models;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.search.Channel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Memory and index that users get, with the records of several subjects in one space. Everything is
 * written and recalled through {@link Memory}, so its own declarations of what is searched are what
 * is measured.
 */
final class SubjectStore implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration AFTERWARDS = Duration.ofHours(1);
  private static final int NAME_LENGTH = 20;
  private static final String TOKENIZER = "o200k_base";
  private static final String PERSON = "person";

  /** The metadata of a note has an entry for each turn that it comes from: merging keeps them. */
  private static final String EVIDENCE = "evidence ";

  private final ManualClock clock = new ManualClock();
  private final RecordStore store;
  private final Jobs jobs;
  private final SearchIndex index;
  private final Memory memory;
  private final Progress progress;
  private SpaceId space = new SpaceId("eval-none");

  private SubjectStore(
      StoreConfig.EngineConfig engine, SearchConfig settings, Models models, Progress progress) {
    this.progress = progress;
    StoreConfig config = StoreConfig.starter().withEngine(engine);
    Ids ids = Ids.of(clock, Chance.system());
    List<Table<?>> tables = new ArrayList<>(SearchIndex.tables());
    tables.addAll(Memory.tables());
    this.store = RecordStore.open(config, tables, clock, ids);
    this.jobs = Jobs.of(store, config.jobs(), clock);
    this.index =
        SearchIndex.open(
            new SearchIndex.Parts(store, config, settings, Memory.searchables(), clock, ids),
            models.embedder(),
            jobs);
    this.memory =
        Memory.of(
            store,
            MemoryConfig.starter(),
            MemoryParts.plain(
                    clock,
                    RuntimeConfig.starter(),
                    models.counters().named(TOKENIZER).orElseThrow())
                .withSearch(index));
  }

  /**
   * @param indexes where the index of a store on PostgreSQL lies; that of SQLite lies beside it
   * @param weights of channels, instead of the starter file's
   */
  static SubjectStore open(
      StoreConfig.EngineConfig engine,
      Path indexes,
      Models models,
      Map<Channel, Double> weights,
      Progress progress) {
    return new SubjectStore(engine, settings(indexes, weights), models, progress);
  }

  private static SearchConfig settings(Path indexes, Map<Channel, Double> weights) {
    String text = SearchConfig.starterText();
    for (Map.Entry<Channel, Double> weight : weights.entrySet()) {
      String key = weight.getKey().name().toLowerCase(Locale.ROOT);
      text = text.replaceFirst("(?m)^" + key + " = .*$", key + " = " + weight.getValue());
    }
    Settings settings = Settings.parse("the starter file", text);
    SearchConfig config = SearchConfig.from(settings);
    settings.verify();
    SearchConfig.General general = config.general();
    return config.withGeneral(
        new SearchConfig.General(indexes, PATIENCE, general.limitMax(), general.migration()));
  }

  /** Stores everything, unless a kept store has it, and waits for words and vectors of it. */
  void load(List<SubjectRecords> subjects) {
    space =
        new SpaceId(
            "eval-"
                + Hashing.hash("subjects", subjects.toString())
                    .replaceAll("[^0-9a-z]", "")
                    .substring(0, NAME_LENGTH));
    if (!store.spaces().contains(space)) {
      store.createSpace(space);
      write(subjects);
    }
    awaitVectors();
    clock.set(lastTime(subjects).plus(AFTERWARDS));
  }

  /** A session and its subject. */
  private record Owned(String subject, SubjectRecords.Session session) {}

  /** In the order of time, as it would have come about: subjects take turns. */
  private void write(List<SubjectRecords> subjects) {
    subjects.stream()
        .flatMap(
            each -> each.sessions().stream().map(session -> new Owned(each.subject(), session)))
        .sorted(Comparator.comparing(owned -> owned.session.time()))
        .forEach(owned -> write(owned.subject, owned.session));
  }

  private static Instant lastTime(List<SubjectRecords> subjects) {
    return subjects.stream()
        .flatMap(each -> each.sessions().stream())
        .map(SubjectRecords.Session::time)
        .max(Comparator.naturalOrder())
        .orElse(ManualClock.START);
  }

  private void write(String subject, SubjectRecords.Session session) {
    clock.set(session.time());
    Optional<Trajectory> trajectory =
        session.isOnlyNotes() ? Optional.empty() : Optional.of(start(subject, session));
    session.notes().forEach(note -> write(subject, note, trajectory));
  }

  private Trajectory start(String subject, SubjectRecords.Session session) {
    Trajectory trajectory =
        memory.run(
            space,
            StartTrajectory.of(session.name(), EntityRef.of(EntityType.SUBJECT, subject))
                .labelled(Labels.ofSubject(subject).withExternalId(session.name())));
    Scope scope = memory.view(space, view -> view.currentScope(trajectory.id())).orElseThrow();
    if (!session.turns().isEmpty()) {
      memory.run(space, new AppendTurns(scope.id(), session.turns()));
    }
    if (!session.artifacts().isEmpty()) {
      memory.run(
          space,
          new CreateArtifacts(
              session.artifacts().stream()
                  .map(
                      text ->
                          CreateArtifact.of(scope.id(), ArtifactType.CUSTOM, Bytes.of(text))
                              .labelled(Labels.ofSubject(subject)))
                  .toList()));
    }
    return trajectory;
  }

  private void write(
      String subject, SubjectRecords.SubjectNote note, Optional<Trajectory> trajectory) {
    if (note.entity().isEmpty()) {
      memory.remember(space, Remember.of(note.text()).forSubject(subject));
      return;
    }
    Labels labels = Labels.ofSubject(subject);
    for (String turn : note.evidence()) {
      labels = labels.with(EVIDENCE + turn, true);
    }
    WriteNote command =
        WriteNote.of(note.entity().get(), PERSON, NoteType.FACT, note.text()).labelled(labels);
    memory.run(space, trajectory.map(task -> command.learnedIn(task.id())).orElse(command));
  }

  /** Remembers a text, and returns the id of the note. */
  String remember(String subject, String text) {
    return memory.remember(space, Remember.of(text).forSubject(subject)).id().toString();
  }

  /** Waits until every record has its words and its vector in the index. */
  void awaitVectors() {
    index.await(space, store.changes().head(space).sequence());
    while (index.status(space).backlog() > 0) {
      progress.say("%,d records wait for vectors".formatted(index.status(space).backlog()));
      clock.advance(PAUSE);
      if (jobs.runDue(space) == 0) {
        Stopwatch.waitUntil(Stopwatch.after(PAUSE));
      }
      index.await(space, store.changes().head(space).sequence());
    }
    if (index.status(space).failed() > 0) {
      throw BenchException.notEmbedded(index.status(space).failed() + " records");
    }
  }

  /** What memory answers, best first. */
  List<SubjectHit> recall(String query, RecallFilter filter, int limit) {
    Recollection answer = memory.recall(space, RecallQuery.of(query, limit).among(filter));
    return memory.view(
        space, view -> answer.hits().stream().map(hit -> resolve(view, hit)).toList());
  }

  private static SubjectHit resolve(MemoryView view, Recollection.Hit hit) {
    return switch (hit.kind()) {
      case NOTE -> {
        Labels labels = view.note(hit.id()).labels();
        yield resolve(hit, labels, evidence(labels));
      }
      case TURN -> {
        Labels labels = view.turn(hit.id()).labels();
        yield resolve(hit, labels, labels.externalId().stream().collect(Collectors.toSet()));
      }
      default -> resolve(hit, view.artifact(hit.id()).labels(), Set.of());
    };
  }

  private static Set<String> evidence(Labels labels) {
    return labels.metadata().keySet().stream()
        .filter(key -> key.startsWith(EVIDENCE))
        .map(key -> key.substring(EVIDENCE.length()))
        .collect(Collectors.toSet());
  }

  private static SubjectHit resolve(Recollection.Hit hit, Labels labels, Set<String> turns) {
    return new SubjectHit(
        hit.kind(),
        labels.externalId().orElseGet(() -> hit.id().toString()),
        labels.subject().orElse(""),
        hit.text(),
        hit.similarity(),
        hit.tokens(),
        turns);
  }

  @Override
  public void close() {
    index.close();
    jobs.close();
    store.close();
  }
}
