package dev.caliber.bench.drill;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SystemAccess;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The process that is killed: it works through one trajectory after another and reports each
 * finished step. It also reports each reading of the clock, which every commit does, so that a kill
 * can fall there. It ends with its parent.
 */
@SystemAccess("a process of its own, which needs the real clock and random numbers")
final class DrillWorker {
  static final String PREFIX = "drill ";
  static final String INSIDE = "inside";
  static final String CLOSING = "closing";
  static final String CLOSED = "closed";
  static final String CONSOLIDATING = "consolidating";
  static final String CONSOLIDATED = "consolidated";
  static final String ENDED = "ended";
  static final String HELD = "held";

  /** Returns whether a report acknowledges a step. */
  static boolean isAcknowledged(String report) {
    return Stream.of(CLOSED, CONSOLIDATED, ENDED).anyMatch(word -> report.startsWith(word + " "));
  }

  /** Words of each scope: a decision, a preference, a constraint, an error. */
  static final List<String> WORDS =
      List.of(
          "We decided to use %s.",
          "I prefer %s.",
          "It must not exceed %s.",
          "Error: %s",
          "Then nothing happened for a while.");

  /** Words that become notes. */
  static final int FOUND = 4;

  static final int SCOPES = 2;

  private final Memory memory;
  private final DrillReportWriter drillReportWriter;

  private DrillWorker(MemoryDrillTarget place, DrillReportWriter drillReportWriter) {
    Clock clock = new ReportingClock(Clock.systemUTC(), drillReportWriter);
    this.drillReportWriter = drillReportWriter;
    this.memory =
        MemoryDrillTarget.openMemory(
            place.open(clock), clock, _ -> Optional.of(MemoryDrillTarget.deployedConfig()));
  }

  /**
   * Writes the reports to the parent. At the hold point it keeps its monitor for ever, so that
   * every thread stops at its next report and the kill falls exactly there.
   */
  static final class DrillReportWriter {
    private final FileOutputStream out;
    private final HoldPoint holdPoint;

    @GuardedBy("this")
    private int remainingTimes;

    @GuardedBy("this")
    private int reportsAfterwards;

    DrillReportWriter(FileOutputStream out, HoldPoint holdPoint) {
      this.out = out;
      this.holdPoint = holdPoint;
      this.remainingTimes = holdPoint.times();
    }

    synchronized void write(String what, String about) {
      writeLine(what, about);
      if (!holdPoint.isSet()) {
        return;
      }
      if (remainingTimes > 0) {
        remainingTimes -= what.equals(holdPoint.word()) ? 1 : 0;
      } else {
        reportsAfterwards++;
      }
      if (remainingTimes == 0 && reportsAfterwards == holdPoint.reports()) {
        writeLine(HELD, "");
        while (true) {
          LockSupport.park(this);
        }
      }
    }

    private void writeLine(String what, String about) {
      try {
        out.write((PREFIX + what + " " + about + "\n").getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The real clock, which reports each reading. */
  static final class ReportingClock extends Clock {
    private final Clock real;
    private final DrillReportWriter drillReportWriter;

    ReportingClock(Clock real, DrillReportWriter drillReportWriter) {
      this.real = real;
      this.drillReportWriter = drillReportWriter;
    }

    @Override
    public Instant instant() {
      Instant now = real.instant();
      drillReportWriter.write(INSIDE, now.toString());
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  public static void main(String[] arguments) throws IOException {
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      DrillWorker worker =
          new DrillWorker(
              MemoryDrillTarget.parse(arguments),
              new DrillReportWriter(out, HoldPoint.parse(arguments)));
      Thread.ofPlatform().name("drill-parent").daemon().start(DrillWorker::exitWithParent);
      while (true) {
        worker.workThroughTrajectory();
      }
    }
  }

  static void exitWithParent() {
    try (FileInputStream in = new FileInputStream(FileDescriptor.in)) {
      in.read();
    } catch (IOException _) {
      // ends with the parent, too
    }
    Runtime.getRuntime().halt(1);
  }

  private void workThroughTrajectory() {
    Trajectory trajectory =
        memory.run(MemoryDrillTarget.SPACE, StartTrajectory.of("Drill", EntityRef.agent("drill")));
    for (int i = 0; i < SCOPES; i++) {
      workIn(
          memory
              .view(MemoryDrillTarget.SPACE, view -> view.currentScope(trajectory.id()))
              .orElseThrow());
      memory.run(MemoryDrillTarget.SPACE, new OpenScope(trajectory.id()));
    }
    drillReportWriter.write(CONSOLIDATING, trajectory.id().toString());
    memory.run(MemoryDrillTarget.SPACE, new ConsolidateTrajectory(trajectory.id()));
    drillReportWriter.write(CONSOLIDATED, trajectory.id().toString());
    memory.run(MemoryDrillTarget.SPACE, EndTrajectory.complete(trajectory.id(), "done"));
    drillReportWriter.write(ENDED, trajectory.id().toString());
  }

  private void workIn(Scope scope) {
    Id id = scope.id();
    List<NewTurn> turns = WORDS.stream().map(words -> NewTurn.user(words.formatted(id))).toList();
    memory.run(MemoryDrillTarget.SPACE, new AppendTurns(id, turns));
    drillReportWriter.write(CLOSING, id.toString());
    memory.run(MemoryDrillTarget.SPACE, CloseScope.of(id));
    drillReportWriter.write(CLOSED, id.toString());
  }
}
