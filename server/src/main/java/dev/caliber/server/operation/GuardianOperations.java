package dev.caliber.server.operation;

import dev.caliber.agents.Needs;
import dev.caliber.kernel.Id;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.pcp.CleanedUp;
import dev.caliber.memory.pcp.Guardian;
import dev.caliber.memory.pcp.Lineage;
import dev.caliber.memory.pcp.Recover;
import dev.caliber.memory.pcp.Recovery;
import dev.caliber.memory.pcp.Report;
import dev.caliber.memory.pcp.Resolution;
import dev.caliber.memory.pcp.Story;
import dev.caliber.memory.pcp.TrajectoryState;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.server.operation.TrajectoryOperations.Named;
import dev.caliber.server.operation.TrajectoryOperations.Within;
import dev.caliber.server.settings.ServerConfig;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What contexts stand on, and the way back. */
final class GuardianOperations {
  private static final Needs READING_ALL = Needs.reading(MemoryKind.values());
  private static final Needs READING_ARTIFACTS = Needs.reading(MemoryKind.ARTIFACT);

  private final Rooms rooms;
  private final Guardian guardian;
  private final Pages pages;

  private GuardianOperations(Rooms rooms, Pages pages) {
    this.rooms = rooms;
    this.guardian = rooms.guardian();
    this.pages = pages;
  }

  static List<Operation<?, ?>> of(Rooms rooms, ServerConfig.Limits limits) {
    GuardianOperations here = new GuardianOperations(rooms, Pages.of(rooms, limits));
    return Stream.of(here.soundness(), here.waysBack(), here.stories())
        .<Operation<?, ?>>flatMap(List::stream)
        .toList();
  }

  /** What contexts stand on. */
  private List<Operation<?, ?>> soundness() {
    return List.of(
        Operation.<Validate, Report>reading(
                "validate",
                "What is wrong with what a trajectory or a window of it stands on.",
                Validate.class,
                this::validate)
            .forAgents(READING_ALL),
        Operation.<Validate, Settled>lasting(
                "resolve_contradictions",
                "Lets one of two contradicting records stay, as pcp.grounding says.",
                Validate.class,
                this::resolve)
            .forAgents(Needs.EVERYTHING),
        Operation.<Within, Report>reading(
                "lint_trajectory",
                "Which live artifacts of a trajectory are too large, doubled or malformed.",
                Within.class,
                (caller, input) -> guardian.lintTrajectory(caller.space(), input.trajectory()))
            .forAgents(READING_ARTIFACTS),
        Operation.<Named, Report>reading(
                "lint_artifact",
                "What is wrong with an artifact.",
                Named.class,
                (caller, input) -> guardian.lint(caller.space(), input.id()))
            .forAgents(READING_ARTIFACTS));
  }

  /** Points to return to. */
  private List<Operation<?, ?>> waysBack() {
    return List.of(
        Operation.<Within, Checkpoint>lasting(
                "checkpoint",
                "Saves a point to return to, with the ledger of its window.",
                Within.class,
                (caller, input) -> guardian.checkpoint(caller.space(), input.trajectory()))
            .forAgents(Needs.writing(MemoryKind.TRAJECTORY))
            .forSubjects(),
        Operation.<Named, Window>reading(
                "checkpoint_window",
                "The window at a checkpoint: as it was kept with it, or assembled as of then.",
                Named.class,
                (caller, input) -> guardian.window(caller.space(), input.id()))
            .forAgents(ContextOperations.READING),
        Operation.<Return, Recovery>lasting(
                "recover",
                "Returns a trajectory to a checkpoint, or with dry_run says what that would do.",
                Return.class,
                this::recover)
            .forAgents(Return::needs),
        Operation.<Fork, Trajectory>lasting(
                "fork",
                "Starts a trajectory that goes on from a checkpoint of another one.",
                Fork.class,
                (caller, input) -> guardian.fork(caller.space(), input.id(), input.goal()))
            .forAgents(Needs.EVERYTHING));
  }

  /** How things came about, and what is over. */
  private List<Operation<?, ?>> stories() {
    return List.of(
        Operation.<Within, TrajectoryState>reading(
                "trajectory_state",
                "How a trajectory stands, for whoever looks for a mistake.",
                Within.class,
                (caller, input) -> guardian.state(caller.space(), input.trajectory()))
            .forAgents(READING_ALL)
            .forSubjects(),
        Operation.<Telling, Story>reading(
                "story",
                "What happened to a trajectory, newest first, and all of it in numbers.",
                Telling.class,
                this::story)
            .forAgents(READING_ALL)
            .forSubjects(),
        Operation.<Named, Lineage>reading(
                "lineage",
                "Where an artifact comes from and what became of it.",
                Named.class,
                (caller, input) -> guardian.lineage(caller.space(), input.id()))
            .forAgents(READING_ARTIFACTS)
            .forSubjects(),
        Operation.<Cleaning, CleanedUp>lasting(
                "clean_up",
                "Ends what nobody works on, and removes what has had its time.",
                Cleaning.class,
                (caller, _) -> guardian.cleanUp(caller.space()))
            .needing(Right.ADMIN));
  }

  /** What to look at: all of a trajectory, or one window of it. */
  record Validate(Id trajectory, Optional<Id> window) {}

  private Report validate(Caller caller, Validate input) {
    return input
        .window()
        .map(id -> guardian.validate(caller.space(), window(caller, input.trajectory(), id)))
        .orElseGet(() -> guardian.validate(caller.space(), input.trajectory()));
  }

  private Window window(Caller caller, Id trajectory, Id id) {
    return rooms.assembler().window(caller.space(), trajectory, id);
  }

  /** What was found, and which of two has stayed. */
  record Settled(Report report, List<Resolution> resolved) {}

  private Settled resolve(Caller caller, Validate input) {
    Report report = validate(caller, input);
    return new Settled(report, guardian.resolve(caller.space(), report));
  }

  /** Where to return to; without a checkpoint to the newest. */
  record Return(Id trajectory, Optional<Id> checkpoint, Optional<Boolean> dryRun) {
    Needs needs() {
      return dryRun.orElse(false) ? READING_ALL : Needs.EVERYTHING;
    }
  }

  private Recovery recover(Caller caller, Return input) {
    Recover wish =
        input.checkpoint().map(Recover::to).orElseGet(() -> Recover.latest(input.trajectory()));
    Recovery would = guardian.recover(caller.space(), wish.dry());
    would
        .done()
        .filter(told -> !told.trajectory().equals(input.trajectory()))
        .ifPresent(
            _ -> {
              throw ServerException.invalidInput(
                  "/checkpoint", "Wanted a checkpoint of this trajectory, found one of another");
            });
    return input.dryRun().orElse(false) ? would : guardian.recover(caller.space(), wish);
  }

  /** A checkpoint to go on from. */
  record Fork(Id id, String goal) {}

  /** Which events. */
  record Telling(Id trajectory, Optional<String> type, Optional<Integer> limit) {}

  private Story story(Caller caller, Telling input) {
    return guardian.story(
        caller.space(), input.trajectory(), input.type(), pages.size(input.limit()));
  }

  /** Nothing in particular. */
  record Cleaning() {}
}
