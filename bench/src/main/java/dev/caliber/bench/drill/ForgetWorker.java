package dev.caliber.bench.drill;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.Seam;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.Remember;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.BatchSize;
import dev.caliber.store.RecordStore;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;

/** The process that gets killed while it forgets a subject, in commits of a few records. */
@Seam("a process of its own, which needs the real clock")
final class ForgetWorker {
  static final String FORGETTING = "forgetting";
  static final String FORGOTTEN = "forgotten";
  static final String ALICE = "alice";
  static final String BOB = "bob";
  static final int TURNS = 30;
  static final int NOTES = 10;

  private static final BatchSize.Rules BATCHES =
      new BatchSize.Rules(4, DataSize.parse("4KiB"), Duration.ofMinutes(1));

  private ForgetWorker() {}

  public static void main(String[] arguments) throws IOException {
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      Thread.ofPlatform().name("drill-parent").daemon().start(DrillWorker::endWithParent);
      DrillWorker.Reports reports = new DrillWorker.Reports(out);
      Clock clock = new DrillWorker.TellingClock(Clock.systemUTC(), reports);
      Memory memory = memory(DrillPlace.of(arguments).open(clock), clock);
      while (true) {
        write(memory, ALICE);
        write(memory, BOB);
        reports.say(FORGETTING, ALICE);
        memory.forget(DrillPlace.SPACE, everythingOf(ALICE));
        reports.say(FORGOTTEN, ALICE);
        memory.forget(DrillPlace.SPACE, everythingOf(BOB));
      }
    }
  }

  /** A memory whose batches are so small that forgetting a subject takes many commits. */
  static Memory memory(RecordStore store, Clock clock) {
    MemoryConfig starter = MemoryConfig.starter();
    return Memory.of(
        store,
        starter.withRetention(starter.retention().withBatches(BATCHES)),
        DrillPlace.parts(clock).withPolicies(_ -> Optional.empty()));
  }

  static Forget everythingOf(String subject) {
    return Forget.all(RecallFilter.ofSubject(subject));
  }

  private static void write(Memory memory, String subject) {
    Trajectory task =
        memory.run(
            DrillPlace.SPACE,
            StartTrajectory.of("Talk", EntityRef.of(EntityType.SUBJECT, subject))
                .labelled(Labels.ofSubject(subject)));
    Scope scope = memory.view(DrillPlace.SPACE, view -> view.currentScope(task.id())).orElseThrow();
    memory.run(
        DrillPlace.SPACE,
        new AppendTurns(
            scope.id(),
            IntStream.range(0, TURNS)
                .mapToObj(i -> NewTurn.user("Turn %d of %s.".formatted(i, subject)))
                .toList()));
    for (int i = 0; i < NOTES; i++) {
      memory.remember(
          DrillPlace.SPACE,
          Remember.of("%s keeps key number %d in drawer %d.".formatted(subject, i, i * i))
              .forSubject(subject));
    }
  }
}
