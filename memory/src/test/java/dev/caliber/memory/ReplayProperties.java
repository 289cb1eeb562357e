package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.PruneCriteria;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.SuspendOrResumeTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.commit.RuleBasedExtraction;
import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.memory.event.MemoryEvent;
import dev.caliber.memory.event.MemoryEventApplier;
import dev.caliber.memory.event.MemoryState;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ScopeCount;
import dev.caliber.memory.record.Tombstone;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryNoteLink;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.testkit.ManualClock;
import dev.caliber.testkit.TestEngines;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Replay of events: they alone lead from one state to the next. */
final class ReplayProperties {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final int PORTION = 2;
  private static final TokenCounter COUNTER = TokenCounter.estimate(new TokenEstimator(4));

  /** Tables that handlers change; traces, notices and tombstones derive from events. */
  private static final List<Table<?>> DECIDED =
      List.of(
          Trajectory.TABLE,
          Scope.TABLE,
          ScopeCount.TABLE,
          Turn.TABLE,
          ToolExchange.TABLE,
          Artifact.TABLE,
          Note.TABLE,
          PastNote.TABLE,
          PastSummary.TABLE,
          TrajectoryNoteLink.TABLE,
          Checkpoint.TABLE,
          Tombstone.TABLE);

  /** State in maps. */
  private static final class Model implements MemoryState {
    private final Map<String, Map<String, Object>> tables = new HashMap<>();

    static Model of(Snapshot snapshot) {
      Model model = new Model();
      DECIDED.forEach(table -> model.load(snapshot, table));
      return model;
    }

    private <T> void load(Snapshot snapshot, Table<T> table) {
      snapshot.scan(Query.over(table), 1000).records().forEach(record -> put(table, record));
    }

    @Override
    @SuppressWarnings("unchecked") // a table's records are of its type
    public <T> Optional<T> find(Table<T> table, Object key) {
      return Optional.ofNullable((T) of(table).get(key.toString()));
    }

    @Override
    public <T> void put(Table<T> table, T record) {
      of(table).put(key(record), record);
    }

    @Override
    public <T> void remove(Table<T> table, Object key) {
      of(table).remove(key.toString());
    }

    private Map<String, Object> of(Table<?> table) {
      return tables.computeIfAbsent(table.name(), _ -> new HashMap<>());
    }

    private static String key(Object record) {
      return switch (record) {
        case Trajectory one -> one.id().toString();
        case Scope one -> one.id().toString();
        case ScopeCount one -> one.id().toString();
        case Turn one -> one.id().toString();
        case ToolExchange one -> one.id().toString();
        case Artifact one -> one.id().toString();
        case Note one -> one.id().toString();
        case PastNote one -> one.id().toString();
        case PastSummary one -> one.id().toString();
        case TrajectoryNoteLink one -> one.id().toString();
        case Checkpoint one -> one.id().toString();
        case Tombstone one -> one.id().toString();
        default -> throw new AssertionError("No decided record: " + record);
      };
    }
  }

  @Property(tries = 25)
  @Label("LIF-01: the events of a decision, applied to the state before, give the state after")
  void eventsGiveTheStateAfter(
      @ForAll @Size(min = 5, max = 40) List<@IntRange(min = 0, max = 1 << 20) Integer> choices) {
    replays(TestEngines.memory(), choices, Optional.empty());
  }

  @Property(tries = 25)
  @Label("LIF-01, POL-01: the same where policies are deployed, step by step of their runs")
  void withPolicies(
      @ForAll @Size(min = 5, max = 40) List<@IntRange(min = 0, max = 1 << 20) Integer> choices) {
    replays(TestEngines.memory(), choices, Optional.of(deployed()));
  }

  @Property(tries = 5)
  @Label("LIF-01, POL-01: the same on SQLite")
  void onSqlite(
      @ForAll @Size(min = 5, max = 25) List<@IntRange(min = 0, max = 1 << 20) Integer> choices)
      throws IOException {
    Path directory = Files.createTempDirectory("caliber-replay");
    try {
      replays(TestEngines.sqlite(directory), choices, Optional.of(deployed()));
    } finally {
      try (var files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      }
    }
  }

  /** Configuration with an action at every event, and turns that are pruned with their scope. */
  private static CompiledConfig deployed() {
    PolicyAction summarize = new PolicyAction.SummarizeAction("turns");
    PolicyAction extract = new PolicyAction.ExtractArtifactsAction("turns");
    PolicyAction checkpoint = new PolicyAction.CheckpointAction("turns");
    PolicyAction prune =
        new PolicyAction.PruneAction("turns", new PruneCriteria.AgeCriteria(Duration.ZERO));
    return new CompiledConfig(
        "1.0",
        List.of(Definitions.of("turns", new Retention.ScopeRetention())),
        List.of(
            new PolicyDefinition(
                "all",
                Stream.of(Trigger.TrajectoryTriggerEvent.values())
                    .map(
                        trajectoryTriggerEvent ->
                            new PolicyRule(
                                new Trigger.EventTrigger(trajectoryTriggerEvent),
                                List.of(summarize, extract, checkpoint, prune)))
                    .toList())),
        List.of(),
        List.of());
  }

  private static void replays(
      StoreConfig.EngineSettings engine, List<Integer> choices, Optional<CompiledConfig> deployed) {
    ManualClock clock = new ManualClock();
    MemoryDependencies parts =
        MemoryDependencies.minimal(clock, RuntimeConfig.starter(), COUNTER)
            .withDeployedConfigs(_ -> deployed);
    try (RecordStore store =
        Stores.open(
            StoreConfig.starter().withEngine(engine),
            Memory.tables(),
            clock,
            IdGenerator.of(clock, RandomSource.seeded(choices.size())))) {
      Replayed replayed = new Replayed(store, MemoryConfig.starter(), parts);
      for (int choice : choices) {
        clock.advance(Duration.ofSeconds(choice % 7));
        Command<?> command = store.read(SPACE, snapshot -> command(snapshot, choice));
        replayed.commit(commandDispatcher -> commandDispatcher.run(command));
        store
            .read(SPACE, snapshot -> snapshot.scan(Query.over(PolicyRun.TABLE), 1000))
            .records()
            .forEach(run -> replayed.finish(run.id()));
      }
    }
  }

  /** Store whose every commit is replayed from its events alone. */
  private record Replayed(RecordStore store, MemoryConfig config, MemoryDependencies parts) {

    void commit(Consumer<CommandDispatcher> work) {
      Model before = store.read(SPACE, Model::of);
      List<MemoryEvent> events = new ArrayList<>();
      try {
        store.write(
            SPACE,
            transaction -> {
              UnitOfWork unitOfWork = new UnitOfWorkFactory(config, parts).begin(transaction);
              work.accept(
                  new CommandDispatcher(unitOfWork, COUNTER, new RuleBasedExtraction(config)));
              return events.addAll(unitOfWork.events());
            });
      } catch (CaliberException _) {
        events.clear();
      }
      MemoryEventApplier memoryEventApplier = new MemoryEventApplier(before);
      events.forEach(memoryEventApplier::apply);
      Model after = store.read(SPACE, Model::of);
      assertThat(filled(before)).isEqualTo(filled(after));
    }

    /** Runs the steps of a run, unless its trajectory was forgotten. */
    void finish(Id id) {
      Optional<PolicyRun> run = read(id);
      boolean moves = true;
      while (moves && run.filter(found -> !found.isDone()).isPresent()) {
        PolicyRun next = run.get();
        commit(commandDispatcher -> commandDispatcher.advancePolicyRun(next, PORTION));
        run = read(id);
        moves = !run.equals(Optional.of(next));
      }
    }

    private Optional<PolicyRun> read(Id id) {
      return store.read(SPACE, snapshot -> snapshot.find(PolicyRun.TABLE, id));
    }
  }

  private static Map<String, Map<String, Object>> filled(Model model) {
    Map<String, Map<String, Object>> filled = new HashMap<>(model.tables);
    filled.values().removeIf(Map::isEmpty);
    return filled;
  }

  /** Returns a command, valid or not, about existing records. */
  private static Command<?> command(Snapshot snapshot, int choice) {
    Id trajectory = pick(snapshot, Trajectory.TABLE, choice).map(Trajectory::id).orElse(NONE);
    Id scope = pick(snapshot, Scope.TABLE, choice).map(Scope::id).orElse(NONE);
    Id turn = pick(snapshot, Turn.TABLE, choice).map(Turn::id).orElse(NONE);
    Id artifact = pick(snapshot, Artifact.TABLE, choice).map(Artifact::id).orElse(NONE);
    Id note = pick(snapshot, Note.TABLE, choice).map(Note::id).orElse(NONE);
    String words = WORDS.get(choice % WORDS.size());
    NewArtifact made =
        NewArtifact.of(scope, ArtifactType.FACT, Bytes.of(words)).withLabels(labels(choice));
    WriteNote written =
        WriteNote.of("alice", "person", NoteType.FACT, words).withLabels(labels(choice));
    return switch (choice % 20) {
      case 0, 1 -> StartTrajectory.of(words, EntityRef.agent("a"));
      case 2 -> StartTrajectory.of(words, EntityRef.agent("a")).withParent(trajectory);
      case 3 ->
          choice % 2 == 0
              ? SuspendOrResumeTrajectory.suspend(trajectory)
              : SuspendOrResumeTrajectory.resume(trajectory);
      case 4 -> EndTrajectory.complete(trajectory, words);
      case 5 -> new OpenScope(trajectory);
      case 6 -> CloseScope.of(scope);
      case 7, 8 -> AppendTurns.of(scope, NewTurn.user(words), NewTurn.assistant(words));
      case 9 -> AppendTurns.of(scope, tool(choice));
      case 10 -> CreateArtifacts.of(made, made.withTtl(new Ttl.ScopeTtl()));
      case 11 -> new SupersedeArtifact(artifact, made);
      case 12 -> trajectory.equals(NONE) ? written : written.withSource(trajectory);
      case 13 -> new SupersedeNote(note, written);
      case 14 -> new EndNote(note, ManualClock.START.plusSeconds(choice % 100));
      case 15 -> new ConsolidateTrajectory(trajectory);
      case 16 -> SaveCheckpoint.of(trajectory);
      case 17 -> RollBackTrajectory.toLatestCheckpoint(trajectory);
      case 18 -> ForgetRecords.of(turn);
      default -> ForgetRecords.of(List.of(note, scope, artifact, trajectory).get(choice % 4));
    };
  }

  /** Returns labels of one subject; sometimes with an external id, sometimes with metadata. */
  private static Labels labels(int choice) {
    return switch (choice / 20 % 4) {
      case 0 -> Labels.none();
      case 1 -> Labels.ofExternalId("e" + choice % 3);
      case 2 -> Labels.none().withMetadata("page", choice % 5);
      default -> Labels.ofExternalId("e" + choice % 3).withMetadata("lang", "en");
    };
  }

  private static NewTurn tool(int choice) {
    String call = "c" + choice % 3;
    return choice % 2 == 0
        ? NewTurn.of(TurnRole.ASSISTANT, new TurnPart.ToolCallPart(call, "grep", "{}"))
        : NewTurn.of(TurnRole.TOOL, new TurnPart.ToolResultPart(call, "found", choice % 4 == 1));
  }

  private static final Id NONE = Id.derivedFrom("test", "none");

  private static final List<String> WORDS =
      List.of(
          "Alice lives in Paris.",
          "Alice lives in Rome.",
          "We decided to use SQLite.",
          "I prefer tea.",
          "Error: disk full",
          "The report must not exceed 5 pages.");

  private static <T> Optional<T> pick(Snapshot snapshot, Table<T> table, int choice) {
    List<T> all = snapshot.scan(Query.over(table), 1000).records();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(choice / 20 % all.size()));
  }
}
