package dev.caliber.server.operation;

import dev.caliber.agents.AgentId;
import dev.caliber.agents.Agents;
import dev.caliber.agents.Conflict;
import dev.caliber.agents.ConflictStatus;
import dev.caliber.agents.DetectConflicts;
import dev.caliber.agents.MoveConflict;
import dev.caliber.agents.Needs;
import dev.caliber.agents.ReportConflict;
import dev.caliber.agents.Resolution;
import dev.caliber.kernel.Id;
import dev.caliber.server.operation.TrajectoryOperations.Named;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Query;
import java.util.List;
import java.util.Optional;

/** Things that do not go together, and what is done about them. */
final class ConflictOperations {
  private final Agents agents;
  private final AgentCommands commands;
  private final Pages pages;

  private ConflictOperations(Rooms rooms, Pages pages) {
    this.agents = rooms.agents();
    this.commands = new AgentCommands(rooms.agents());
    this.pages = pages;
  }

  static List<Operation<?, ?>> of(Rooms rooms, ServerConfig.Limits limits) {
    ConflictOperations here = new ConflictOperations(rooms, Pages.of(rooms, limits));
    return List.of(
        here.commands.operation(
            "report_conflict",
            "Says that two things do not go together; one that is known already is answered.",
            ReportConflict.class,
            input -> input),
        here.detect(),
        here.commands
            .operation(
                "move_conflict",
                "Says what is done about a conflict; a verdict resolves it.",
                Move.class,
                Move::command)
            .about(Conflict.TABLE, Move::id),
        Operation.reading("list_conflicts", "Conflicts, oldest first.", Which.class, here::list)
            .forAgents(Needs.NOTHING),
        Operation.reading(
                "get_conflict",
                "A conflict, and what was decided.",
                Named.class,
                (Caller caller, Named input) ->
                    here.agents.<Conflict>view(caller.space(), view -> view.conflict(input.id())))
            .about(Conflict.TABLE, Named::id)
            .forAgents(Needs.NOTHING));
  }

  /** Where to look, and who does. */
  record Detect(AgentId agent, Id trajectory) {}

  /** Those that are open; {@code cut} says that there may be more. */
  record Detected(List<Conflict> items, boolean cut, int uncompared) {}

  /** The search is before the commits. */
  private Operation<Detect, Detected> detect() {
    return Operation.<Detect, Detected>lasting(
            "detect_conflicts",
            "Looks for conflicts in a task and its parts; answers those that are open.",
            Detect.class,
            (caller, input) ->
                detected(caller, new DetectConflicts(input.agent(), input.trajectory())))
        .tracedInside()
        .forAgents(input -> Needs.speakingFor(List.of(input.agent())));
  }

  private Detected detected(Caller caller, DetectConflicts search) {
    DetectConflicts.Found found = agents.detect(caller.space(), search);
    return new Detected(found.conflicts(), found.cut(), found.uncompared());
  }

  /** What is done about a conflict. */
  record Move(
      Id id,
      AgentId agent,
      ConflictStatus.Event event,
      Optional<Resolution.Verdict> verdict,
      Optional<String> reason) {
    MoveConflict command() {
      if (verdict.isPresent() != reason.isPresent()) {
        throw ServerException.invalidInput(
            "/reason", "Wanted a verdict with its reason, found one");
      }
      return new MoveConflict(
          agent,
          id,
          event,
          verdict.map(decided -> new Resolution(agent, decided, reason.orElseThrow())));
    }
  }

  /** Which conflicts: of a task, in a status, or all. */
  record Which(
      Optional<Id> trajectory,
      Optional<ConflictStatus> status,
      Optional<Integer> limit,
      Optional<String> cursor) {
    Query<Conflict> query() {
      return trajectory
          .map(id -> Query.over(Conflict.TABLE, "trajectory").equal(id))
          .or(() -> status.map(one -> Query.over(Conflict.TABLE, "status").equal(one.name())))
          .orElseGet(() -> Query.over(Conflict.TABLE))
          .where(conflict -> status.filter(wanted -> wanted != conflict.status()).isEmpty());
    }
  }

  private Listed<Conflict> list(Caller caller, Which which) {
    return pages.read(caller, which.query(), new Pages.Wanted(which.limit(), which.cursor()));
  }
}
