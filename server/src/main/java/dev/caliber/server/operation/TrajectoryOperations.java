package dev.caliber.server.operation;

import dev.caliber.agents.ActingAgent;
import dev.caliber.agents.AgentId;
import dev.caliber.agents.RequiredPermissions;
import dev.caliber.kernel.Id;
import dev.caliber.memory.command.AppendResult;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.SuspendOrResumeTrajectory;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.OutcomeStatus;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.PolicyRunState;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The operations on trajectories, their scopes, turns, artifacts and checkpoints. */
final class TrajectoryOperations {
  private static final RequiredPermissions READING_TRAJECTORIES =
      RequiredPermissions.forReading(MemoryKind.TRAJECTORY);
  private static final RequiredPermissions WRITING_TRAJECTORIES =
      RequiredPermissions.forWriting(MemoryKind.TRAJECTORY);
  private static final RequiredPermissions CHANGING_TRAJECTORIES =
      RequiredPermissions.forChanging(MemoryKind.TRAJECTORY);

  private final ServerModules serverModules;
  private final PageReader pageReader;

  private TrajectoryOperations(ServerModules serverModules, PageReader pageReader) {
    this.serverModules = serverModules;
    this.pageReader = pageReader;
  }

  static List<Operation<?, ?>> operations(
      ServerModules serverModules, ServerConfig.ServerLimits serverLimits) {
    TrajectoryOperations here =
        new TrajectoryOperations(serverModules, PageReader.of(serverModules, serverLimits));
    return List.of(
        here.startOperation(),
        here.listOperation(),
        here.readOperation(
                "get_trajectory", "Returns a trajectory.", (view, id) -> view.trajectory(id))
            .withTarget(Trajectory.TABLE, RecordIdRequest::id)
            .forAgents(READING_TRAJECTORIES)
            .forSubjects(),
        here.moveOperation(
            "suspend_trajectory",
            "Suspends a trajectory until it is resumed.",
            SuspendOrResumeTrajectory::suspend),
        here.moveOperation(
            "resume_trajectory",
            "Resumes a suspended trajectory.",
            SuspendOrResumeTrajectory::resume),
        here.endOperation(
            "complete_trajectory", "Ends a trajectory as completed.", OutcomeStatus.SUCCESS),
        here.endOperation("fail_trajectory", "Ends a trajectory as failed.", OutcomeStatus.FAILURE),
        here.commandOperation(
                "open_scope",
                "Opens another scope of a trajectory.",
                TrajectoryIdRequest.class,
                input -> new OpenScope(input.trajectory()))
            .forAgents(RequiredPermissions.forWriting(MemoryKind.SCOPE))
            .forSubjects(),
        here.closeScopeOperation(),
        here.listScopesOperation(),
        here.readOperation("get_scope", "Returns a scope.", (view, id) -> view.scope(id))
            .withTarget(Scope.TABLE, RecordIdRequest::id)
            .forAgents(RequiredPermissions.forReading(MemoryKind.SCOPE))
            .forSubjects(),
        here.appendOperation(),
        here.listTurnsOperation(),
        here.readOperation("get_turn", "Returns a turn.", (view, id) -> view.turn(id))
            .withTarget(Turn.TABLE, RecordIdRequest::id)
            .forAgents(RequiredPermissions.forReading(MemoryKind.TURN))
            .forSubjects(),
        here.uncompactOperation(),
        here.createArtifactsOperation(),
        here.listArtifactsOperation(),
        here.readOperation("get_artifact", "Returns an artifact.", (view, id) -> view.artifact(id))
            .withTarget(Artifact.TABLE, RecordIdRequest::id)
            .forAgents(RequiredPermissions.forReading(MemoryKind.ARTIFACT))
            .forSubjects(),
        here.supersedeOperation(),
        here.saveCheckpointOperation(),
        here.listCheckpointsOperation(),
        here.commandOperation(
                "roll_back",
                "Returns a trajectory to a checkpoint: the named one, or by default the newest.",
                RollBackTrajectoryRequest.class,
                input -> new RollBackTrajectory(input.trajectory(), input.checkpoint(), false))
            .forAgents(RequiredPermissions.EVERYTHING),
        here.consolidateOperation(),
        here.runPolicyOperation());
  }

  private Operation<RecordIdRequest, Trajectory> moveOperation(
      String name, String description, Function<Id, SuspendOrResumeTrajectory> move) {
    return commandOperation(
            name, description, RecordIdRequest.class, input -> move.apply(input.id()))
        .withTarget(Trajectory.TABLE, RecordIdRequest::id)
        .forAgents(CHANGING_TRAJECTORIES)
        .forSubjects();
  }

  record RecordIdRequest(Id id) {}

  record TrajectoryIdRequest(Id trajectory) {}

  /** The reader of one record of memory. */
  interface RecordFinder<T> {
    T find(dev.caliber.memory.MemoryView view, Id id);
  }

  private <T> Operation<RecordIdRequest, T> readOperation(
      String name, String summary, RecordFinder<T> recordFinder) {
    return Operation.readOnly(
        name,
        summary,
        RecordIdRequest.class,
        (caller, input) ->
            serverModules
                .memory()
                .view(caller.space(), view -> recordFinder.find(view, input.id())));
  }

  private <I extends Record, O> Operation<I, O> commandOperation(
      String name, String summary, Class<I> input, Function<I, Command<O>> command) {
    return Operation.transactional(
        name,
        summary,
        input,
        (transaction, _, request) ->
            serverModules.memory().run(transaction, command.apply(request)));
  }

  /** The request to start a trajectory. */
  record StartTrajectoryRequest(
      String goal,
      Optional<EntityRef> initiator,
      Optional<Id> parent,
      Optional<List<String>> tags,
      Optional<String> subject,
      Optional<String> session,
      Optional<Map<String, Object>> metadata,
      Optional<Boolean> group) {
    RequiredPermissions requiredPermissions() {
      return initiator
          .filter(one -> one.type() == EntityType.AGENT)
          .map(
              one ->
                  RequiredPermissions.forAgents(List.of(new AgentId(one.id())))
                      .and(WRITING_TRAJECTORIES))
          .orElse(WRITING_TRAJECTORIES);
    }

    /**
     * Returns the initiator; an agent of another space is named with that space, because its bare
     * name may belong to another agent here.
     */
    EntityRef initiatorOrCaller(Caller caller) {
      String self =
          caller
              .agent()
              .filter(agent -> !agent.home().equals(caller.space()))
              .map(ActingAgent::toString)
              .orElse(caller.actor());
      return initiator.orElseGet(() -> EntityRef.agent(self));
    }
  }

  private Operation<StartTrajectoryRequest, Trajectory> startOperation() {
    return Operation.<StartTrajectoryRequest, Trajectory>transactional(
            "start_trajectory",
            "Starts a trajectory and opens its first scope.",
            StartTrajectoryRequest.class,
            (transaction, caller, request) ->
                serverModules
                    .memory()
                    .run(
                        transaction,
                        new StartTrajectory(
                            request.goal(),
                            request.initiatorOrCaller(caller),
                            request.parent(),
                            request.tags().orElse(List.of()),
                            new Labels(
                                request.subject(),
                                request.session(),
                                request.metadata().orElse(Map.of())),
                            request.group().orElse(false))))
        .forAgents(StartTrajectoryRequest::requiredPermissions)
        .forSubjects(SubjectRule.forWrites(""));
  }

  /**
   * The filter of the trajectory list; newest first, by status the least recently changed first.
   */
  record ListTrajectoriesRequest(
      Optional<TrajectoryStatus> status,
      Optional<String> session,
      Optional<String> subject,
      Optional<Id> parent,
      Optional<Integer> limit,
      Optional<String> cursor) {
    Query<Trajectory> indexQuery() {
      if (session.isPresent()) {
        return Query.over(Trajectory.TABLE, "external_id", "created_at")
            .equal(session.get())
            .descending();
      }
      if (subject.isPresent()) {
        return Query.over(Trajectory.TABLE, "subject", "created_at")
            .equal(subject.get())
            .descending();
      }
      if (parent.isPresent()) {
        return Query.over(Trajectory.TABLE, "parent").equal(parent.get());
      }
      return status
          .map(one -> Query.over(Trajectory.TABLE, "status", "updated_at").equal(one.name()))
          .orElseGet(() -> Query.over(Trajectory.TABLE).descending());
    }

    Query<Trajectory> filteredQuery() {
      boolean mixed = status.isPresent() && !session.or(() -> subject).isEmpty();
      return mixed || (status.isPresent() && parent.isPresent())
          ? indexQuery().where(found -> found.status() == status.get())
          : indexQuery();
    }
  }

  private Operation<ListTrajectoriesRequest, PageResponse<Trajectory>> listOperation() {
    return Operation.<ListTrajectoriesRequest, PageResponse<Trajectory>>readOnly(
            "list_trajectories",
            "Lists trajectories, page by page.",
            ListTrajectoriesRequest.class,
            (caller, input) ->
                pageReader.read(
                    serverModules.memory(),
                    caller,
                    input.filteredQuery(),
                    new PageReader.PageRequest(input.limit(), input.cursor())))
        .forAgents(READING_TRAJECTORIES)
        .forSubjects(SubjectRule.forReads());
  }

  /** The end of a trajectory. */
  record EndTrajectoryRequest(Id id, Optional<String> summary, Optional<Boolean> partial) {}

  private Operation<EndTrajectoryRequest, Trajectory> endOperation(
      String name, String summary, OutcomeStatus status) {
    return Operation.<EndTrajectoryRequest, Trajectory>transactional(
            name,
            summary,
            EndTrajectoryRequest.class,
            new MemoryCommandChange<>(
                serverModules,
                input ->
                    new EndTrajectory(
                        input.id(),
                        input.partial().orElse(false) && status == OutcomeStatus.SUCCESS
                            ? OutcomeStatus.PARTIAL
                            : status,
                        input.summary().orElse(""))))
        .withTarget(Trajectory.TABLE, EndTrajectoryRequest::id)
        .forAgents(CHANGING_TRAJECTORIES)
        .forSubjects();
  }

  /** Summarises before the commit, because a model may do it, which is slow. */
  private Operation<RecordIdRequest, Scope> closeScopeOperation() {
    return Operation.longRunning(
            "close_scope",
            "Closes a scope and saves its summary, its artifacts and a checkpoint in one commit.",
            RecordIdRequest.class,
            (caller, input) ->
                serverModules.memory().run(caller.space(), CloseScope.of(input.id())))
        .withTarget(Scope.TABLE, RecordIdRequest::id)
        .forAgents(RequiredPermissions.forChanging(MemoryKind.SCOPE))
        .forSubjects();
  }

  /** The request for a page of a trajectory's records. */
  record ListInTrajectoryRequest(Id trajectory, Optional<Integer> limit, Optional<String> cursor) {
    PageReader.PageRequest pageRequest() {
      return new PageReader.PageRequest(limit, cursor);
    }
  }

  /** The request for a page of a trajectory's records that may have been rolled back. */
  record ListLiveInTrajectoryRequest(
      Id trajectory,
      Optional<List<String>> include,
      Optional<Integer> limit,
      Optional<String> cursor) {
    PageReader.PageRequest pageRequest() {
      return new PageReader.PageRequest(limit, cursor);
    }

    <T> Query<T> filterIncluded(Query<T> all, Function<T, Optional<Instant>> rolledBackAt) {
      return IncludeParameter.of(include).filter(all, rolledBackAt);
    }
  }

  private Operation<ListLiveInTrajectoryRequest, PageResponse<Scope>> listScopesOperation() {
    return Operation.<ListLiveInTrajectoryRequest, PageResponse<Scope>>readOnly(
            "list_scopes",
            "Lists the scopes of a trajectory, in the order in which they were opened.",
            ListLiveInTrajectoryRequest.class,
            (caller, input) ->
                pageReader.read(
                    caller,
                    input.filterIncluded(
                        Query.over(Scope.TABLE, "trajectory", "sequence").equal(input.trajectory()),
                        Scope::rolledBackAt),
                    input.pageRequest()))
        .forAgents(RequiredPermissions.forReading(MemoryKind.SCOPE))
        .forSubjects();
  }

  /** A turn to append. */
  record TurnInput(
      TurnRole role,
      Optional<String> text,
      Optional<List<TurnPart>> parts,
      Optional<Integer> tokens,
      Optional<String> model,
      Optional<String> subject,
      Optional<String> externalId,
      Optional<Map<String, Object>> metadata) {
    NewTurn toNewTurn() {
      if (text.isPresent() == parts.isPresent()) {
        throw ServerException.invalidInput("/text", "Send either 'text' or 'parts'");
      }
      return new NewTurn(
          role,
          parts.orElseGet(() -> List.of(TurnPart.text(text.orElseThrow()))),
          tokens,
          model,
          new Labels(subject, externalId, metadata.orElse(Map.of())));
    }
  }

  /** Turns for a scope, or for the current scope of a session, which is started if needed. */
  record AppendTurnsRequest(Optional<Id> scope, Optional<String> session, List<TurnInput> turns) {
    List<NewTurn> newTurns() {
      return turns.stream().map(TurnInput::toNewTurn).toList();
    }

    /** Returns the permissions to append turns, start a session and return known turns. */
    RequiredPermissions requiredPermissions() {
      RequiredPermissions writing =
          session.isPresent()
              ? RequiredPermissions.forWriting(
                  MemoryKind.TRAJECTORY, MemoryKind.SCOPE, MemoryKind.TURN)
              : RequiredPermissions.forWriting(MemoryKind.TURN);
      return turns.stream().anyMatch(turn -> turn.externalId().isPresent())
          ? writing.and(RequiredPermissions.forReading(MemoryKind.TURN))
          : writing;
    }
  }

  /**
   * The appended turns.
   *
   * @param notes the notes made of users' statements in the turns of a session; a model may add to
   *     them later
   */
  record AppendTurnsResponse(List<Turn> items, List<Note> notes) {}

  private Operation<AppendTurnsRequest, AppendTurnsResponse> appendOperation() {
    return Operation.<AppendTurnsRequest, AppendTurnsResponse>transactional(
            "append_turns",
            "Appends turns to a scope or to a session: all of them, or none.",
            AppendTurnsRequest.class,
            this::appendTurns)
        .forAgents(AppendTurnsRequest::requiredPermissions)
        .forSubjects(SubjectRule.forSessionTurns("turns/*"));
  }

  private AppendTurnsResponse appendTurns(
      Transaction transaction, Caller caller, AppendTurnsRequest input) {
    if (input.scope().isPresent() == input.session().isPresent()) {
      throw ServerException.invalidInput("/scope", "Send either 'scope' or 'session'");
    }
    if (input.scope().isPresent()) {
      AppendTurns command = new AppendTurns(input.scope().get(), input.newTurns());
      return new AppendTurnsResponse(serverModules.memory().run(transaction, command), List.of());
    }
    AppendResult appended =
        serverModules
            .memory()
            .remember(transaction, input.session().orElseThrow(), input.newTurns());
    boolean reads = new WriteOnlyNoteView(serverModules.agents()).canReadNotes(transaction, caller);
    return new AppendTurnsResponse(appended.turns(), reads ? appended.notes() : List.of());
  }

  /** The filter of the turn list: a trajectory or one scope. */
  record ListTurnsRequest(
      Optional<Id> trajectory,
      Optional<Id> scope,
      Optional<List<String>> include,
      Optional<Integer> limit,
      Optional<String> cursor) {
    Query<Turn> liveTurnsQuery() {
      return IncludeParameter.of(include).filter(query(), Turn::rolledBackAt);
    }

    private Query<Turn> query() {
      if (trajectory.isPresent() == scope.isPresent()) {
        throw ServerException.invalidInput("/trajectory", "Send either 'trajectory' or 'scope'");
      }
      return scope
          .map(id -> Query.over(Turn.TABLE, "scope", "sequence").equal(id))
          .orElseGet(
              () ->
                  Query.over(Turn.TABLE, "trajectory", "position").equal(trajectory.orElseThrow()));
    }
  }

  private Operation<ListTurnsRequest, PageResponse<Turn>> listTurnsOperation() {
    return Operation.<ListTurnsRequest, PageResponse<Turn>>readOnly(
            "list_turns",
            "Lists turns in the order in which they were appended.",
            ListTurnsRequest.class,
            (caller, input) ->
                pageReader.read(
                    caller,
                    input.liveTurnsQuery(),
                    new PageReader.PageRequest(input.limit(), input.cursor())))
        .forAgents(RequiredPermissions.forReading(MemoryKind.TURN))
        .forSubjects();
  }

  private Operation<RecordIdRequest, PageResponse<Turn>> uncompactOperation() {
    return Operation.<RecordIdRequest, PageResponse<Turn>>readOnly(
            "list_summarized_turns",
            "Returns the turns from which the summary of a scope or trajectory was made, verbatim.",
            RecordIdRequest.class,
            (caller, input) ->
                PageResponse.ofAll(
                    serverModules.memory().summarizedTurns(caller.space(), input.id())))
        .forAgents(RequiredPermissions.forReading(MemoryKind.TURN))
        .forSubjects();
  }

  /** An artifact to create: text, or any content in base64. */
  record ArtifactInput(
      ArtifactType type,
      Optional<String> text,
      Optional<Bytes> content,
      Optional<ExtractionMethod> method,
      Optional<Double> confidence,
      Optional<List<Id>> sources,
      Optional<Ttl> ttl,
      Optional<Integer> schemaVersion,
      Optional<String> subject,
      Optional<String> externalId,
      Optional<Map<String, Object>> metadata) {
    CreateArtifact toCommand(Id scope) {
      if (text.isPresent() == content.isPresent()) {
        throw ServerException.invalidInput("/text", "Send either 'text' or 'content'");
      }
      return new CreateArtifact(
          scope,
          type,
          content.orElseGet(() -> Bytes.of(text.orElseThrow().getBytes(StandardCharsets.UTF_8))),
          new Provenance(
              Optional.empty(),
              method.orElse(ExtractionMethod.EXPLICIT),
              confidence,
              sources.orElse(List.of())),
          ttl.orElse(Ttl.persistent()),
          schemaVersion.orElse(1),
          new Labels(subject, externalId, metadata.orElse(Map.of())));
    }
  }

  record CreateArtifactsRequest(Id scope, List<ArtifactInput> artifacts) {}

  private Operation<CreateArtifactsRequest, PageResponse<Artifact>> createArtifactsOperation() {
    return Operation.<CreateArtifactsRequest, PageResponse<Artifact>>transactional(
            "create_artifacts",
            "Creates artifacts in a scope: all of them, or none. Identical content is stored once.",
            CreateArtifactsRequest.class,
            (transaction, _, input) ->
                PageResponse.ofAll(
                    serverModules
                        .memory()
                        .run(
                            transaction,
                            new CreateArtifacts(
                                input.artifacts().stream()
                                    .map(artifactInput -> artifactInput.toCommand(input.scope()))
                                    .toList()))))
        .forAgents(RequiredPermissions.forChanging(MemoryKind.ARTIFACT))
        .forSubjects(SubjectRule.forWrites("artifacts/*"));
  }

  /**
   * The filter of the artifact list: a trajectory, and optionally an external name.
   *
   * @param live whether to leave out artifacts that are superseded or expired
   */
  record ListArtifactsRequest(
      Id trajectory,
      Optional<List<String>> include,
      Optional<Integer> limit,
      Optional<String> cursor,
      Optional<String> externalId,
      Optional<Boolean> live) {
    Query<Artifact> query(Instant now) {
      if (live.orElse(false)) {
        InputReader.requireExclusive("live", include);
        return query().where(made -> made.trajectory().equals(trajectory) && made.isLive(now));
      }
      IncludeParameter includeParameter = IncludeParameter.of(include);
      return query()
          .where(
              made ->
                  made.trajectory().equals(trajectory)
                      && includeParameter.isIncluded(made.rolledBackAt()));
    }

    private Query<Artifact> query() {
      return externalId
          .map(name -> Query.over(Artifact.TABLE, "external_id", "created_at").equal(name))
          .orElseGet(
              () -> Query.over(Artifact.TABLE, "trajectory", "created_at").equal(trajectory));
    }
  }

  private Operation<ListArtifactsRequest, PageResponse<Artifact>> listArtifactsOperation() {
    return Operation.<ListArtifactsRequest, PageResponse<Artifact>>readOnly(
            "list_artifacts",
            "Lists the artifacts of a trajectory, oldest first.",
            ListArtifactsRequest.class,
            (caller, input) ->
                pageReader.read(
                    caller,
                    input.query(serverModules.clock().instant()),
                    new PageReader.PageRequest(input.limit(), input.cursor())))
        .forAgents(RequiredPermissions.forReading(MemoryKind.ARTIFACT))
        .forSubjects();
  }

  /** An artifact that supersedes another. */
  record SupersedeArtifactRequest(Id id, Id scope, ArtifactInput artifact) {}

  private Operation<SupersedeArtifactRequest, Artifact> supersedeOperation() {
    return commandOperation(
            "supersede_artifact",
            "Creates an artifact that supersedes another artifact; the old one remains as history.",
            SupersedeArtifactRequest.class,
            input -> new SupersedeArtifact(input.id(), input.artifact().toCommand(input.scope())))
        .withTarget(Artifact.TABLE, SupersedeArtifactRequest::id)
        .forAgents(RequiredPermissions.forChanging(MemoryKind.ARTIFACT))
        .forSubjects(SubjectRule.forWrites("artifact"));
  }

  /** The request to save a checkpoint. */
  record SaveCheckpointRequest(Id trajectory, Optional<Id> scope, Optional<Id> window) {}

  /** Saves a checkpoint in a commit; a job writes its ledger afterwards. */
  private Operation<SaveCheckpointRequest, Checkpoint> saveCheckpointOperation() {
    return Operation.<SaveCheckpointRequest, Checkpoint>transactional(
            "save_checkpoint",
            "Saves a checkpoint of a trajectory, as a step of a commit.",
            SaveCheckpointRequest.class,
            (transaction, _, input) ->
                serverModules
                    .memory()
                    .run(
                        transaction,
                        new SaveCheckpoint(input.trajectory(), input.scope(), input.window()))
                    .withLedgerKept(false))
        .forAgents(WRITING_TRAJECTORIES)
        .forSubjects();
  }

  private Operation<ListInTrajectoryRequest, PageResponse<Checkpoint>> listCheckpointsOperation() {
    return Operation.<ListInTrajectoryRequest, PageResponse<Checkpoint>>readOnly(
            "list_checkpoints",
            "Lists the checkpoints of a trajectory, newest first.",
            ListInTrajectoryRequest.class,
            (caller, input) -> {
              PageResponse<Checkpoint> page =
                  pageReader.read(
                      caller,
                      Query.over(Checkpoint.TABLE, "trajectory", "created_at")
                          .equal(input.trajectory())
                          .descending(),
                      input.pageRequest());
              return new PageResponse<>(
                  serverModules.guardian().withLedgers(caller.space(), page.items()), page.next());
            })
        .forAgents(READING_TRAJECTORIES)
        .forSubjects();
  }

  /** The checkpoint to roll back to. */
  record RollBackTrajectoryRequest(Id trajectory, Optional<Id> checkpoint) {}

  /** A policy run by name; without a key, each request is a new run. */
  record RunPolicyRequest(
      String policy, Optional<Id> trajectory, Optional<Id> scope, Optional<String> key) {
    RunPolicy command(Id otherwise) {
      return new RunPolicy(policy, trajectory, scope, key.orElseGet(otherwise::toString));
    }
  }

  /** The state of a policy run. */
  record PolicyRunStatus(
      Id id,
      String policy,
      PolicyRunState state,
      Optional<Id> trajectory,
      Optional<Id> scope,
      int steps,
      int done,
      Optional<String> error) {
    static PolicyRunStatus of(String policy, PolicyRun run) {
      return new PolicyRunStatus(
          run.id(),
          policy,
          run.state(),
          run.trajectory(),
          run.scope(),
          run.steps().size(),
          run.next(),
          run.error());
    }
  }

  /** Runs a policy; it may delete from a whole space as clean-up does, and needs the same right. */
  private Operation<RunPolicyRequest, PolicyRunStatus> runPolicyOperation() {
    return Operation.<RunPolicyRequest, PolicyRunStatus>transactional(
            "run_policy",
            "Runs a deployed policy once for each 'key'; a call with the same key returns the progress of that run.",
            RunPolicyRequest.class,
            (transaction, _, input) ->
                PolicyRunStatus.of(
                    input.policy(),
                    serverModules.memory().run(transaction, input.command(transaction.newId()))))
        .withRight(AccessRight.ADMIN);
  }

  /** Consolidates the artifacts of a trajectory in several commits; their number is unbounded. */
  private Operation<TrajectoryIdRequest, PageResponse<Id>> consolidateOperation() {
    return Operation.<TrajectoryIdRequest, PageResponse<Id>>longRunning(
            "consolidate_trajectory",
            "Creates notes from the artifacts of a trajectory; returns the ids of the notes.",
            TrajectoryIdRequest.class,
            (caller, input) ->
                PageResponse.ofAll(
                    serverModules
                        .memory()
                        .run(caller.space(), new ConsolidateTrajectory(input.trajectory()))))
        .forAgents(RequiredPermissions.EVERYTHING);
  }
}
