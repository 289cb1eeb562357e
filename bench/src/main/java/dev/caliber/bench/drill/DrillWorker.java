package dev.caliber.bench.drill;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Seam;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Consolidate;
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
import java.util.stream.Stream;

/**
 * The process that gets killed: it works through trajectory after trajectory and reports each step
 * when it has returned. It also says whenever somebody asks for the time, which every commit does,
 * so that a blow can fall there. It ends with the one that started it.
 */
@Seam("a process of its own, which needs the real clock and chance")
final class DrillWorker {
  static final String PREFIX = "drill ";
  static final String INSIDE = "inside";
  static final String CLOSING = "closing";
  static final String CLOSED = "closed";
  static final String CONSOLIDATING = "consolidating";
  static final String CONSOLIDATED = "consolidated";
  static final String ENDED = "ended";

  /** Whether a report says that something is done. */
  static boolean isAcknowledged(String report) {
    return Stream.of(CLOSED, CONSOLIDATED, ENDED).anyMatch(word -> report.startsWith(word + " "));
  }

  /** What each scope says: a decision, a preference, a constraint, an error. */
  static final List<String> WORDS =
      List.of(
          "We decided to use %s.",
          "I prefer %s.",
          "It must not exceed %s.",
          "Error: %s",
          "Then nothing happened for a while.");

  /** How many of them become notes. */
  static final int FOUND = 4;

  static final int SCOPES = 2;

  private final Memory memory;
  private final Reports reports;

  private DrillWorker(DrillPlace place, Reports reports) {
    Clock clock = new TellingClock(Clock.systemUTC(), reports);
    this.reports = reports;
    this.memory =
        DrillPlace.memory(place.open(clock), clock, _ -> Optional.of(DrillPlace.deployed()));
  }

  /** What the parent hears. */
  record Reports(FileOutputStream out) {
    void say(String what, String about) {
      try {
        out.write((PREFIX + what + " " + about + "\n").getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The real time, and a word that somebody has asked for it. */
  static final class TellingClock extends Clock {
    private final Clock real;
    private final Reports reports;

    TellingClock(Clock real, Reports reports) {
      this.real = real;
      this.reports = reports;
    }

    @Override
    public Instant instant() {
      Instant now = real.instant();
      reports.say(INSIDE, now.toString());
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
      DrillWorker worker = new DrillWorker(DrillPlace.of(arguments), new Reports(out));
      Thread.ofPlatform().name("drill-parent").daemon().start(DrillWorker::endWithParent);
      while (true) {
        worker.work();
      }
    }
  }

  static void endWithParent() {
    try (FileInputStream in = new FileInputStream(FileDescriptor.in)) {
      in.read();
    } catch (IOException _) {
      // The end of the parent, too.
    }
    Runtime.getRuntime().halt(1);
  }

  private void work() {
    Trajectory trajectory =
        memory.run(DrillPlace.SPACE, StartTrajectory.of("Drill", EntityRef.agent("drill")));
    for (int i = 0; i < SCOPES; i++) {
      workIn(
          memory.view(DrillPlace.SPACE, view -> view.currentScope(trajectory.id())).orElseThrow());
      memory.run(DrillPlace.SPACE, new OpenScope(trajectory.id()));
    }
    reports.say(CONSOLIDATING, trajectory.id().toString());
    memory.run(DrillPlace.SPACE, new Consolidate(trajectory.id()));
    reports.say(CONSOLIDATED, trajectory.id().toString());
    memory.run(DrillPlace.SPACE, EndTrajectory.complete(trajectory.id(), "done"));
    reports.say(ENDED, trajectory.id().toString());
  }

  private void workIn(Scope scope) {
    Id id = scope.id();
    List<NewTurn> turns = WORDS.stream().map(words -> NewTurn.user(words.formatted(id))).toList();
    memory.run(DrillPlace.SPACE, new AppendTurns(id, turns));
    reports.say(CLOSING, id.toString());
    memory.run(DrillPlace.SPACE, CloseScope.of(id));
    reports.say(CLOSED, id.toString());
  }
}
