package dev.caliber.bench.drill;

import dev.caliber.kernel.SystemAccess;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.RecordStore;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.stream.IntStream;

/** The process that is killed while it forgets a subject, in commits of a few records. */
@SystemAccess("a process of its own, which needs the real clock")
final class ForgetWorker {
  static final String FORGETTING = "forgetting";
  static final String FORGOTTEN = "forgotten";
  static final String ALICE = "alice";
  static final String BOB = "bob";
  static final int TURNS = 30;
  static final int NOTES = 10;

  private ForgetWorker() {}

  public static void main(String[] arguments) throws IOException {
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      Thread.ofPlatform().name("drill-parent").daemon().start(DrillWorker::exitWithParent);
      DrillWorker.DrillReportWriter drillReportWriter =
          new DrillWorker.DrillReportWriter(out, HoldPoint.parse(arguments));
      Clock clock = new DrillWorker.ReportingClock(Clock.systemUTC(), drillReportWriter);
      Memory memory = openMemory(MemoryDrillTarget.parse(arguments).open(clock), clock);
      while (true) {
        writeRecords(memory, ALICE);
        writeRecords(memory, BOB);
        drillReportWriter.write(FORGETTING, ALICE);
        memory.forget(MemoryDrillTarget.SPACE, forgetAllOf(ALICE));
        drillReportWriter.write(FORGOTTEN, ALICE);
        memory.forget(MemoryDrillTarget.SPACE, forgetAllOf(BOB));
      }
    }
  }

  /** Opens a memory with batches so small that forgetting a subject takes many commits. */
  static Memory openMemory(RecordStore store, Clock clock) {
    return Memory.of(
        store,
        MemoryConfig.starter()
            .with(
                "memory.retention.batch = 4",
                "memory.retention.batch-bytes = '4KiB'",
                "memory.retention.batch-time = '1m'"),
        MemoryDrillTarget.memoryParts(clock).withDeployedConfigs(_ -> Optional.empty()));
  }

  static ForgetRecords forgetAllOf(String subject) {
    return ForgetRecords.matching(RecallFilter.ofSubject(subject));
  }

  private static void writeRecords(Memory memory, String subject) {
    Trajectory task =
        memory.run(
            MemoryDrillTarget.SPACE,
            StartTrajectory.of("Talk", EntityRef.of(EntityType.SUBJECT, subject))
                .withLabels(Labels.ofSubject(subject)));
    Scope scope =
        memory.view(MemoryDrillTarget.SPACE, view -> view.currentScope(task.id())).orElseThrow();
    memory.run(
        MemoryDrillTarget.SPACE,
        new AppendTurns(
            scope.id(),
            IntStream.range(0, TURNS)
                .mapToObj(i -> NewTurn.user("Turn %d of %s.".formatted(i, subject)))
                .toList()));
    for (int i = 0; i < NOTES; i++) {
      memory.remember(
          MemoryDrillTarget.SPACE,
          NewNote.of("%s keeps key number %d in drawer %d.".formatted(subject, i, i * i))
              .withSubject(subject));
    }
  }
}
