package dev.caliber.server.operation;

import dev.caliber.agents.Agents;
import dev.caliber.agents.command.DetectConflicts;
import dev.caliber.agents.command.ReportConflict;
import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.command.TransitionConflict;
import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.conflict.ConflictOutcome;
import dev.caliber.agents.conflict.ConflictStatus;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.Id;
import dev.caliber.server.operation.TrajectoryOperations.RecordIdRequest;
import dev.caliber.server.settings.ServerConfig.ServerLimits;
import dev.caliber.store.Query;
import java.util.List;
import java.util.Optional;

/** The operations on conflicts between records or agents, and on their resolution. */
final class ConflictOperations {
  private ConflictOperations() {}

  static List<Operation<?, ?>> operations(ServerModules modules, ServerLimits limits) {
    Agents agents = modules.agents();
    AgentCommandOperations commands = new AgentCommandOperations(agents);
    return List.of(
        commands.operation("report_conflict", ReportConflict.class),
        Operation.longRunning(
                "detect_conflicts",
                DetectConflicts.class,
                (caller, input) ->
                    DetectConflictsResponse.of(agents.detectConflicts(caller.space(), input)))
            .withOwnRefusalTrace()
            .forAgents(input -> RequiredPermissions.forAgents(List.of(input.agent()))),
        commands
            .operation(
                "transition_conflict",
                TransitionConflictRequest.class,
                TransitionConflictRequest::command,
                conflict -> conflict)
            .withTarget(Conflict.TABLE, TransitionConflictRequest::id),
        PageReader.of(modules, limits)
            .listOperation(
                "list_conflicts", ListConflictsRequest.class, ListConflictsRequest::query)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.readOnly(
                "get_conflict",
                RecordIdRequest.class,
                (caller, input) -> agents.view(caller.space(), view -> view.conflict(input.id())))
            .withTarget(Conflict.TABLE, RecordIdRequest::id)
            .forAgents(RequiredPermissions.NOTHING));
  }

  /** The open conflicts; {@code cut} says that there may be more. */
  record DetectConflictsResponse(List<Conflict> items, boolean cut, int uncompared) {
    static DetectConflictsResponse of(DetectConflicts.DetectConflictsResult found) {
      return new DetectConflictsResponse(found.conflicts(), found.cut(), found.uncompared());
    }
  }

  /** A status transition of a conflict, with a verdict if it resolves it. */
  record TransitionConflictRequest(
      Id id,
      AgentId agent,
      ConflictStatus.ConflictTransition event,
      Optional<ConflictOutcome.ConflictVerdict> verdict,
      Optional<String> reason) {
    TransitionConflict command() {
      if (verdict.isPresent() != reason.isPresent()) {
        throw ServerException.invalidInput(
            "/reason", "Send 'verdict' and 'reason' together, or neither of them");
      }
      return new TransitionConflict(
          agent,
          id,
          event,
          verdict.map(decided -> new ConflictOutcome(agent, decided, reason.orElseThrow())));
    }
  }

  /** The filter of the conflict list. */
  record ListConflictsRequest(
      Optional<Id> trajectory,
      Optional<ConflictStatus> status,
      Optional<Integer> limit,
      Optional<String> cursor)
      implements PageReader.PageRequest {
    Query<Conflict> query() {
      return trajectory
          .map(id -> Query.over(Conflict.TABLE, "trajectory").equal(id))
          .or(() -> status.map(one -> Query.over(Conflict.TABLE, "status").equal(one.name())))
          .orElseGet(() -> Query.over(Conflict.TABLE))
          .where(conflict -> status.filter(wanted -> wanted != conflict.status()).isEmpty());
    }
  }
}
