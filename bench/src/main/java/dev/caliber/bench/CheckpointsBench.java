package dev.caliber.bench;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.PcpConfig;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.pcp.CheckpointLedger;
import dev.caliber.memory.pcp.Guardian;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.testkit.ManualClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** One conversation with a checkpoint after each turn, stored in several ways. */
final class CheckpointsBench {
  private static final SpaceId SPACE = SpaceId.DEFAULT;

  private final Places places;
  private final int turns;
  private final Progress progress;

  CheckpointsBench(Places places, int turns, Progress progress) {
    this.places = places;
    this.turns = turns;
    this.progress = progress;
  }

  /** A way to store ledgers. */
  private record Way(String name, boolean compression, double wholeShare) {}

  /** What checkpoints took. */
  private record Taken(double point, double ledger, double text, double micros) {}

  void measure(Report report) {
    double share = RuntimeConfig.starter().pcp().checkpoints().wholeShare();
    List<Way> ways =
        List.of(
            new Way("changes, deflated (as the starter has it)", true, share),
            new Way("changes, plain", false, share),
            new Way("whole, deflated", true, 0),
            new Way("whole, plain", false, 0));
    Report.Section section =
        report.section("SQLite", "a checkpoint after each of %,d turns".formatted(turns));
    for (Way way : ways) {
      progress.part(way.name);
      Taken taken = run(way);
      if (way.equals(ways.getFirst())) {
        section.add("bytes of a point alone", taken.point, Figure.Unit.COUNT);
        section.add(
            "bytes of the window's text, which is not stored", taken.text, Figure.Unit.COUNT);
        section.add("time of a checkpoint with its ledger", taken.micros, Figure.Unit.MICROS);
      }
      section.add("bytes of a ledger per turn: " + way.name, taken.ledger, Figure.Unit.COUNT);
    }
  }

  private Taken run(Way way) {
    ManualClock clock = new ManualClock();
    List<Table<?>> tables = new ArrayList<>(Memory.tables());
    tables.addAll(ContextAssembler.tables());
    tables.addAll(Guardian.tables());
    StoreConfig config = StoreConfig.starter().withEngine(Places.sqlite(places.directory("store")));
    try (RecordStore store =
        RecordStore.open(config, tables, clock, Ids.of(clock, Chance.system()))) {
      return run(store, way, clock);
    }
  }

  private Taken run(RecordStore store, Way way, ManualClock clock) {
    MemoryConfig config = MemoryConfig.starter();
    MemoryParts parts =
        MemoryParts.plain(clock, runtime(way), TokenCounter.estimate(new TokenEstimate(4)));
    Memory memory = Memory.of(store, config, parts);
    ContextAssembler assembler = ContextAssembler.of(store, config, parts, TokenCounters.none());
    Guardian guardian = Guardian.of(new Guardian.Rooms(store, memory, assembler), config, parts);
    Id task = memory.run(SPACE, StartTrajectory.of("Talk", EntityRef.agent("bench"))).id();
    Id scope = memory.view(SPACE, view -> view.currentScope(task)).orElseThrow().id();
    long points = 0;
    long ledgers = 0;
    long nanos = 0;
    for (int i = 0; i < turns; i++) {
      clock.advance(Duration.ofSeconds(1));
      memory.run(SPACE, AppendTurns.of(scope, NewTurn.user(words(i))));
      long begun = Stopwatch.nanos();
      Checkpoint made = guardian.checkpoint(SPACE, task);
      nanos += Stopwatch.nanos() - begun;
      points += Json.bytes(made).length;
      ledgers += size(store, made.id());
    }
    String text = assembler.assemble(SPACE, AssembleRequest.of(task).dry()).text();
    return new Taken(
        (double) points / turns,
        (double) ledgers / turns,
        text.getBytes(StandardCharsets.UTF_8).length,
        nanos / 1e3 / turns);
  }

  private static String words(int turn) {
    return "This is turn number %d, which says a little more than the one before it did."
        .formatted(turn);
  }

  private static long size(RecordStore store, Id checkpoint) {
    return store
        .read(SPACE, snapshot -> snapshot.get(CheckpointLedger.TABLE, checkpoint))
        .content()
        .size();
  }

  private static RuntimeConfig runtime(Way way) {
    RuntimeConfig starter = RuntimeConfig.starter();
    PcpConfig pcp = starter.pcp();
    Function<PcpConfig.Checkpoints, PcpConfig.Checkpoints> stored =
        old ->
            new PcpConfig.Checkpoints(
                PcpConfig.Frequency.MANUAL, old.retention(), way.compression, way.wholeShare);
    return new RuntimeConfig(
        starter.context(),
        new PcpConfig(
            pcp.validation(),
            pcp.staleAfter(),
            pcp.contradictionSimilarity(),
            pcp.compareLimit(),
            pcp.contextDag(),
            stored.apply(pcp.checkpoints()),
            pcp.dosage(),
            pcp.lint(),
            pcp.grounding()),
        starter.memory(),
        starter.coordination());
  }
}
