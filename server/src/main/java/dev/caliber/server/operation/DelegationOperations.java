package dev.caliber.server.operation;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsView;
import dev.caliber.agents.command.AgentCommand;
import dev.caliber.agents.command.CreateDelegation;
import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.command.StartHandoff;
import dev.caliber.agents.command.TransitionDelegation;
import dev.caliber.agents.command.TransitionHandoff;
import dev.caliber.agents.delegation.ContextSharing;
import dev.caliber.agents.delegation.DelegatedTask;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.DelegationStatus;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.delegation.HandoffOutline;
import dev.caliber.agents.delegation.HandoffStatus;
import dev.caliber.agents.delegation.SharedRecords;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.agents.registry.ResultPage;
import dev.caliber.kernel.Id;
import dev.caliber.server.operation.TrajectoryOperations.RecordIdRequest;
import dev.caliber.server.settings.ServerConfig.ServerLimits;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The operations on delegations between agents and on handoffs of tasks. */
final class DelegationOperations {
  private final Agents agents;
  private final AgentCommandOperations commands;
  private final PageReader pageReader;

  private DelegationOperations(ServerModules modules, PageReader pageReader) {
    this.agents = modules.agents();
    this.commands = new AgentCommandOperations(modules.agents());
    this.pageReader = pageReader;
  }

  static List<Operation<?, ?>> operations(ServerModules modules, ServerLimits limits) {
    DelegationOperations here = new DelegationOperations(modules, PageReader.of(modules, limits));
    return List.of(
        here.commands.operation(
            "create_delegation",
            DelegateRequest.class,
            DelegateRequest::command,
            DelegationOperations::toJson),
        here.commands
            .operation(
                "transition_delegation",
                TransitionDelegationRequest.class,
                TransitionDelegationRequest::command,
                DelegationOperations::toJson)
            .withTarget(Delegation.TABLE, TransitionDelegationRequest::id),
        Operation.readOnly("list_delegations", ListDelegationsRequest.class, here::listDelegations)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.readOnly(
                "get_delegation",
                RecordIdRequest.class,
                (caller, input) ->
                    toJson(here.agents.view(caller.space(), view -> view.delegation(input.id()))))
            .withTarget(Delegation.TABLE, RecordIdRequest::id)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.transactional(
                "start_handoff", StartHandoffRequest.class, new StartHandoffChange(here.agents))
            .withRefusalRecorder(
                (caller, input, refusal) ->
                    here.agents.recordRefusal(caller.space(), input.command(), refusal))
            .forAgents(input -> RequiredPermissions.forAgents(List.of(input.from()))),
        here.commands
            .operation("transition_handoff", TransitionHandoff.class)
            .withTarget(Handoff.TABLE, TransitionHandoff::id),
        Operation.readOnly("list_handoffs", ListHandoffsRequest.class, here::listHandoffs)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.readOnly(
                "get_handoff",
                RecordIdRequest.class,
                (caller, input) ->
                    here.agents.view(caller.space(), view -> view.handoff(input.id())))
            .withTarget(Handoff.TABLE, RecordIdRequest::id)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.readOnly(
                "get_briefing",
                BriefingRequest.class,
                (caller, input) -> here.agents.briefing(caller.space(), input.agent(), input.id()))
            .forAgents(input -> RequiredPermissions.forAgents(List.of(input.agent()))));
  }

  private static JsonNode toJson(Delegation delegation) {
    return AgentCommandOperations.withParsedJson(delegation, "result");
  }

  /** The request to delegate work. */
  record DelegateRequest(
      AgentId delegator,
      Recipient to,
      String description,
      Id trajectory,
      List<Id> artifacts,
      List<Id> notes,
      Optional<String> context,
      List<String> constraints,
      Optional<Duration> within) {
    CreateDelegation command() {
      return new CreateDelegation(
          delegator,
          to,
          new DelegatedTask(
              description, trajectory, new SharedRecords(artifacts, notes), context, constraints),
          within);
    }
  }

  /**
   * A status transition of a delegation: {@code words} report progress or a reason, a result
   * completes it.
   */
  record TransitionDelegationRequest(
      Id id,
      AgentId agent,
      DelegationStatus.DelegationTransition event,
      Optional<String> words,
      Optional<JsonNode> result) {
    TransitionDelegation command() {
      boolean completes = event == DelegationStatus.DelegationTransition.COMPLETE;
      Optional<JsonNode> done = AgentCommandOperations.presentJson(result);
      if (completes ? words.isPresent() : done.isPresent()) {
        throw ServerException.invalidInput(
            completes ? "/words" : "/result",
            "A delegation is completed with 'result' and not 'words'; other events take no "
                + "'result'");
      }
      return new TransitionDelegation(
          agent, id, event, completes ? done.map(JsonNode::toString) : words);
    }
  }

  /**
   * The filter of the delegation list: by status, delegator or delegatee; or those that an agent,
   * or any agent of a type, could accept.
   */
  record ListDelegationsRequest(
      Optional<DelegationStatus> status,
      Optional<AgentId> delegator,
      Optional<AgentId> delegatee,
      Optional<AgentId> acceptableBy,
      Optional<Integer> limit,
      Optional<String> cursor,
      Optional<String> type)
      implements PageReader.PageRequest {
    Query<Delegation> query() {
      return indexQuery()
          .where(
              work ->
                  status.filter(wanted -> wanted != work.status()).isEmpty()
                      && delegator.filter(agent -> !agent.equals(work.delegator())).isEmpty());
    }

    private Query<Delegation> indexQuery() {
      return delegatee
          .map(agent -> Query.over(Delegation.TABLE, "delegatee").equal(agent.value()))
          .or(
              () ->
                  delegator.map(
                      agent -> Query.over(Delegation.TABLE, "delegator").equal(agent.value())))
          .or(() -> status.map(one -> Query.over(Delegation.TABLE, "status").equal(one.name())))
          .orElseGet(() -> Query.over(Delegation.TABLE));
    }
  }

  private PageResponse<JsonNode> listDelegations(Caller caller, ListDelegationsRequest input) {
    Optional<Recipient> by = acceptableAddress(input.acceptableBy(), input.type());
    by.ifPresent(
        one ->
            InputReader.requireExclusive(
                parameterName(one), input.status(), input.delegator(), input.delegatee()));
    return by.map(one -> listPending(caller, one, input, AgentsView::pendingDelegations))
        .orElseGet(() -> pageReader.read(caller, input.query(), input))
        .map(DelegationOperations::toJson);
  }

  /** Returns the recipient that could accept: one agent, or any of a type. */
  private static Optional<Recipient> acceptableAddress(
      Optional<AgentId> agent, Optional<String> type) {
    type.ifPresent(_ -> InputReader.requireExclusive("type", agent));
    return agent.map(Recipient::ofAgent).or(() -> type.map(Recipient::ofType));
  }

  private static String parameterName(Recipient by) {
    return by.agent().isPresent() ? "acceptable_by" : "type";
  }

  /** The reader of acceptable items, page by page. */
  private interface PendingItemReader<T> {
    ResultPage<T> readPage(AgentsView view, Recipient by, Optional<String> after, int limit);
  }

  private <T> PageResponse<T> listPending(
      Caller caller,
      Recipient by,
      PageReader.PageRequest page,
      PendingItemReader<T> pendingItemReader) {
    int size = pageReader.pageSize(page.limit());
    return PageResponse.of(
        agents.<ResultPage<T>>view(
            caller.space(), view -> pendingItemReader.readPage(view, by, page.cursor(), size)));
  }

  /** The request to hand over a task, with the named records and those that sharing includes. */
  record StartHandoffRequest(
      AgentId from,
      Recipient to,
      Id trajectory,
      String notes,
      String reason,
      List<String> nextSteps,
      List<String> blockers,
      List<String> openQuestions,
      List<Id> sharedArtifacts,
      List<Id> sharedNotes,
      Optional<ContextSharing> sharing,
      Optional<Id> supersedes) {
    StartHandoff command() {
      return new StartHandoff(
          from,
          to,
          trajectory,
          new HandoffOutline(notes, nextSteps, blockers, openQuestions, reason),
          new SharedRecords(sharedArtifacts, sharedNotes),
          sharing.orElse(ContextSharing.NEED_TO_KNOW),
          supersedes,
          Optional.empty());
    }
  }

  /** The start of a handoff, never part of another commit: its context is assembled before. */
  private record StartHandoffChange(Agents agents)
      implements Operation.OperationChange<StartHandoffRequest, Handoff> {
    @Override
    public Handoff apply(Transaction transaction, Caller caller, StartHandoffRequest input) {
      throw ServerException.notTransactional("start_handoff");
    }

    @Override
    public Operation.OperationChange<StartHandoffRequest, Handoff> prepare(
        Caller caller, StartHandoffRequest input) {
      AgentCommand<Handoff> ready = agents.prepareCommand(caller.space(), input.command());
      return (transaction, _, _) -> agents.run(transaction, ready);
    }

    @Override
    public boolean isCostly(StartHandoffRequest input) {
      return true;
    }
  }

  /** The filter of the handoff list: by trajectory and status, or by possible receiver. */
  record ListHandoffsRequest(
      Optional<Id> trajectory,
      Optional<HandoffStatus> status,
      Optional<AgentId> acceptableBy,
      Optional<Integer> limit,
      Optional<String> cursor,
      Optional<String> type)
      implements PageReader.PageRequest {
    Query<Handoff> query() {
      return trajectory
          .map(id -> Query.over(Handoff.TABLE, "trajectory").equal(id))
          .or(() -> status.map(one -> Query.over(Handoff.TABLE, "status").equal(one.name())))
          .orElseGet(() -> Query.over(Handoff.TABLE))
          .where(handoff -> status.filter(wanted -> wanted != handoff.status()).isEmpty());
    }
  }

  private PageResponse<Handoff> listHandoffs(Caller caller, ListHandoffsRequest input) {
    Optional<Recipient> by = acceptableAddress(input.acceptableBy(), input.type());
    by.ifPresent(
        one ->
            InputReader.requireExclusive(parameterName(one), input.status(), input.trajectory()));
    return by.map(one -> listPending(caller, one, input, AgentsView::pendingHandoffs))
        .orElseGet(() -> pageReader.read(caller, input.query(), input));
  }

  /**
   * The request of a receiver to read a delegation or handoff. It needs more than the right to
   * read, because a request by another agent is recorded.
   */
  record BriefingRequest(Id id, AgentId agent) {}
}
