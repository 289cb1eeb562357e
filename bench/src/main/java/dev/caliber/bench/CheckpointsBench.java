package dev.caliber.bench;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryDependencies;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.pcp.CheckpointLedger;
import dev.caliber.memory.pcp.ContextIntegrity;
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

/** Measures one conversation with a checkpoint after each turn, stored in several ways. */
final class CheckpointsBench {
  private static final SpaceId SPACE = SpaceId.DEFAULT;

  private final BenchLocations benchLocations;
  private final int turns;
  private final ProgressPrinter progressPrinter;

  CheckpointsBench(BenchLocations benchLocations, int turns, ProgressPrinter progressPrinter) {
    this.benchLocations = benchLocations;
    this.turns = turns;
    this.progressPrinter = progressPrinter;
  }

  /** An option for storing ledgers. */
  private record LedgerStorageOption(String name, boolean compression, double wholeShare) {}

  /** The cost of checkpoints. */
  private record CheckpointCost(double point, double ledger, double text, double micros) {}

  void measure(BenchReport benchReport) {
    double share = RuntimeConfig.starter().pcp().checkpoints().maxDeltaShare();
    List<LedgerStorageOption> ways =
        List.of(
            new LedgerStorageOption("changes, deflated (as the starter has it)", true, share),
            new LedgerStorageOption("changes, plain", false, share),
            new LedgerStorageOption("whole, deflated", true, 0),
            new LedgerStorageOption("whole, plain", false, 0));
    BenchReport.ReportSection reportSection =
        benchReport.section("SQLite", "a checkpoint after each of %,d turns".formatted(turns));
    for (LedgerStorageOption ledgerStorageOption : ways) {
      progressPrinter.startPart(ledgerStorageOption.name);
      CheckpointCost checkpointCost = run(ledgerStorageOption);
      if (ledgerStorageOption.equals(ways.getFirst())) {
        reportSection.add("bytes of a point alone", checkpointCost.point, Figure.FigureUnit.COUNT);
        reportSection.add(
            "bytes of the window's text, which is not stored",
            checkpointCost.text,
            Figure.FigureUnit.COUNT);
        reportSection.add(
            "time of a checkpoint with its ledger",
            checkpointCost.micros,
            Figure.FigureUnit.MICROS);
      }
      reportSection.add(
          "bytes of a ledger per turn: " + ledgerStorageOption.name,
          checkpointCost.ledger,
          Figure.FigureUnit.COUNT);
    }
  }

  private CheckpointCost run(LedgerStorageOption ledgerStorageOption) {
    ManualClock clock = new ManualClock();
    List<Table<?>> tables = new ArrayList<>(Memory.tables());
    tables.addAll(ContextAssembler.tables());
    tables.addAll(ContextIntegrity.tables());
    StoreConfig config =
        StoreConfig.starter()
            .withEngine(BenchLocations.sqliteIn(benchLocations.directory("store")));
    try (RecordStore store =
        RecordStore.open(config, tables, clock, IdGenerator.of(clock, RandomSource.system()))) {
      return run(store, ledgerStorageOption, clock);
    }
  }

  private CheckpointCost run(
      RecordStore store, LedgerStorageOption ledgerStorageOption, ManualClock clock) {
    MemoryConfig config = MemoryConfig.starter();
    MemoryDependencies parts =
        MemoryDependencies.minimal(
            clock, runtime(ledgerStorageOption), TokenCounter.estimate(new TokenEstimator(4)));
    Memory memory = Memory.of(store, config, parts);
    ContextAssembler assembler = ContextAssembler.of(store, config, parts, TokenCounters.none());
    ContextIntegrity contextIntegrity =
        ContextIntegrity.of(
            new ContextIntegrity.ContextIntegrityDependencies(store, memory, assembler),
            config,
            parts);
    Id task = memory.run(SPACE, StartTrajectory.of("Talk", EntityRef.agent("bench"))).id();
    Id scope = memory.view(SPACE, view -> view.currentScope(task)).orElseThrow().id();
    long points = 0;
    long ledgers = 0;
    long nanos = 0;
    for (int i = 0; i < turns; i++) {
      clock.advance(Duration.ofSeconds(1));
      memory.run(SPACE, AppendTurns.of(scope, NewTurn.user(turnText(i))));
      long begun = Stopwatch.nanos();
      Checkpoint made = contextIntegrity.saveCheckpoint(SPACE, task);
      nanos += Stopwatch.nanos() - begun;
      points += Json.bytes(made).length;
      ledgers += size(store, made.id());
    }
    String text = assembler.assemble(SPACE, AssembleRequest.of(task).withDryRun()).text();
    return new CheckpointCost(
        (double) points / turns,
        (double) ledgers / turns,
        text.getBytes(StandardCharsets.UTF_8).length,
        nanos / 1e3 / turns);
  }

  private static String turnText(int turn) {
    return "This is turn number %d, which says a little more than the one before it did."
        .formatted(turn);
  }

  private static long size(RecordStore store, Id checkpoint) {
    return store
        .read(SPACE, snapshot -> snapshot.get(CheckpointLedger.TABLE, checkpoint))
        .content()
        .size();
  }

  private static RuntimeConfig runtime(LedgerStorageOption ledgerStorageOption) {
    return RuntimeConfig.starter()
        .with(
            "pcp.checkpoints.frequency = 'manual'",
            "pcp.checkpoints.compression = " + ledgerStorageOption.compression,
            "pcp.checkpoints.max-delta-share = " + ledgerStorageOption.wholeShare);
  }
}
