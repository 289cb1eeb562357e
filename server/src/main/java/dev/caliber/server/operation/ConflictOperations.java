package dev.caliber.server.operation;

import dev.caliber.agents.AgentId;
import dev.caliber.agents.Agents;
import dev.caliber.agents.Conflict;
import dev.caliber.agents.ConflictOutcome;
import dev.caliber.agents.ConflictStatus;
import dev.caliber.agents.DetectConflicts;
import dev.caliber.agents.ReportConflict;
import dev.caliber.agents.RequiredPermissions;
import dev.caliber.agents.TransitionConflict;
import dev.caliber.kernel.Id;
import dev.caliber.server.operation.TrajectoryOperations.RecordIdRequest;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Query;
import java.util.List;
import java.util.Optional;

/** The operations on conflicts between records or agents, and on their resolution. */
final class ConflictOperations {
  private final Agents agents;
  private final AgentCommandOperations commands;
  private final PageReader pageReader;

  private ConflictOperations(ServerModules serverModules, PageReader pageReader) {
    this.agents = serverModules.agents();
    this.commands = new AgentCommandOperations(serverModules.agents());
    this.pageReader = pageReader;
  }

  static List<Operation<?, ?>> operations(
      ServerModules serverModules, ServerConfig.ServerLimits serverLimits) {
    ConflictOperations here =
        new ConflictOperations(serverModules, PageReader.of(serverModules, serverLimits));
    return List.of(
        here.commands.operation(
            "report_conflict",
            "Reports a conflict between two records; returns the existing conflict if it is known already.",
            ReportConflict.class,
            input -> input),
        here.detectOperation(),
        here.commands
            .operation(
                "transition_conflict",
                "Changes the status of a conflict; a verdict resolves it.",
                MoveConflictRequest.class,
                MoveConflictRequest::command)
            .withTarget(Conflict.TABLE, MoveConflictRequest::id),
        Operation.readOnly(
                "list_conflicts",
                "Lists conflicts, oldest first.",
                ListConflictsRequest.class,
                here::listConflicts)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.readOnly(
                "get_conflict",
                "Returns a conflict and its verdict.",
                RecordIdRequest.class,
                (Caller caller, RecordIdRequest input) ->
                    here.agents.<Conflict>view(caller.space(), view -> view.conflict(input.id())))
            .withTarget(Conflict.TABLE, RecordIdRequest::id)
            .forAgents(RequiredPermissions.NOTHING));
  }

  /** The trajectory to search for conflicts, and the searching agent. */
  record DetectConflictsRequest(AgentId agent, Id trajectory) {}

  /** The open conflicts; {@code cut} says that there may be more. */
  record DetectConflictsResponse(List<Conflict> items, boolean cut, int uncompared) {}

  /** Searches before the commits. */
  private Operation<DetectConflictsRequest, DetectConflictsResponse> detectOperation() {
    return Operation.<DetectConflictsRequest, DetectConflictsResponse>longRunning(
            "detect_conflicts",
            "Searches for conflicts in a trajectory and its children; returns the open conflicts.",
            DetectConflictsRequest.class,
            (caller, input) ->
                detectConflicts(caller, new DetectConflicts(input.agent(), input.trajectory())))
        .withOwnRefusalTrace()
        .forAgents(input -> RequiredPermissions.forAgents(List.of(input.agent())));
  }

  private DetectConflictsResponse detectConflicts(Caller caller, DetectConflicts search) {
    DetectConflicts.DetectConflictsResult detectConflictsResult =
        agents.detectConflicts(caller.space(), search);
    return new DetectConflictsResponse(
        detectConflictsResult.conflicts(),
        detectConflictsResult.cut(),
        detectConflictsResult.uncompared());
  }

  /** A status transition of a conflict, with a verdict if it resolves it. */
  record MoveConflictRequest(
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
      Optional<String> cursor) {
    Query<Conflict> query() {
      return trajectory
          .map(id -> Query.over(Conflict.TABLE, "trajectory").equal(id))
          .or(() -> status.map(one -> Query.over(Conflict.TABLE, "status").equal(one.name())))
          .orElseGet(() -> Query.over(Conflict.TABLE))
          .where(conflict -> status.filter(wanted -> wanted != conflict.status()).isEmpty());
    }
  }

  private PageResponse<Conflict> listConflicts(
      Caller caller, ListConflictsRequest listConflictsRequest) {
    return pageReader.read(
        caller,
        listConflictsRequest.query(),
        new PageReader.PageRequest(listConflictsRequest.limit(), listConflictsRequest.cursor()));
  }
}
