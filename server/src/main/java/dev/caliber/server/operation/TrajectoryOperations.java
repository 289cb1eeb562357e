package dev.caliber.server.operation;

import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.registry.ActingAgent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.Id;
import dev.caliber.memory.command.AppendResult;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.NewArtifact;
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
import dev.caliber.memory.view.MemoryView;
import dev.caliber.server.settings.ServerConfig.ServerLimits;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** The operations on trajectories, their scopes, turns, artifacts and checkpoints. */
final class TrajectoryOperations {
  private static final RequiredPermissions READING_TRAJECTORIES =
      RequiredPermissions.forReading(MemoryKind.TRAJECTORY);
  private static final RequiredPermissions WRITING_TRAJECTORIES =
      RequiredPermissions.forWriting(MemoryKind.TRAJECTORY);
  private static final RequiredPermissions CHANGING_TRAJECTORIES =
      RequiredPermissions.forChanging(MemoryKind.TRAJECTORY);
  private static final RequiredPermissions READING_TURNS =
      RequiredPermissions.forReading(MemoryKind.TURN);

  private final ServerModules modules;

  private TrajectoryOperations(ServerModules modules) {
    this.modules = modules;
  }

  static List<Operation<?, ?>> operations(ServerModules modules, ServerLimits limits) {
    TrajectoryOperations here = new TrajectoryOperations(modules);
    PageReader pages = PageReader.of(modules, limits);
    return Stream.of(
            here.trajectoryOperations(pages), here.recordOperations(pages), here.jobOperations())
        .<Operation<?, ?>>flatMap(List::stream)
        .toList();
  }

  private List<Operation<?, ?>> trajectoryOperations(PageReader pages) {
    return List.of(
        Operation.transactional(
                "start_trajectory",
                StartTrajectoryRequest.class,
                (transaction, caller, input) ->
                    modules.memory().run(transaction, input.command(caller)))
            .forAgents(StartTrajectoryRequest::requiredPermissions)
            .forSubjects(SubjectRule.forWrites("")),
        Operation.readOnly(
                "list_trajectories",
                ListTrajectoriesRequest.class,
                (caller, input) ->
                    pages.read(modules.memory(), caller, input.filteredQuery(), input))
            .forAgents(READING_TRAJECTORIES)
            .forSubjects(SubjectRule.forReads()),
        readOperation("get_trajectory", Trajectory.TABLE, MemoryView::trajectory)
            .forAgents(READING_TRAJECTORIES),
        moveOperation("suspend_trajectory", SuspendOrResumeTrajectory::suspend),
        moveOperation("resume_trajectory", SuspendOrResumeTrajectory::resume),
        endOperation("complete_trajectory", OutcomeStatus.SUCCESS),
        endOperation("fail_trajectory", OutcomeStatus.FAILURE),
        commandOperation("open_scope", OpenScope.class, command -> command)
            .forAgents(RequiredPermissions.forWriting(MemoryKind.SCOPE))
            .forSubjects(),
        Operation.longRunning( // a model may write the summary
                "close_scope",
                RecordIdRequest.class,
                (caller, input) -> modules.memory().run(caller.space(), CloseScope.of(input.id())))
            .withTarget(Scope.TABLE, RecordIdRequest::id)
            .forAgents(RequiredPermissions.forChanging(MemoryKind.SCOPE))
            .forSubjects(),
        pages
            .listOperation("list_scopes", ListScopesRequest.class, TrajectoryOperations::scopes)
            .forAgents(RequiredPermissions.forReading(MemoryKind.SCOPE))
            .forSubjects(),
        readOperation("get_scope", Scope.TABLE, MemoryView::scope)
            .forAgents(RequiredPermissions.forReading(MemoryKind.SCOPE)));
  }

  private List<Operation<?, ?>> recordOperations(PageReader pages) {
    return List.of(
        Operation.transactional("append_turns", AppendTurnsRequest.class, this::appendTurns)
            .forAgents(AppendTurnsRequest::requiredPermissions)
            .forSubjects(SubjectRule.forSessionTurns("turns/*")),
        pages
            .listOperation("list_turns", ListTurnsRequest.class, ListTurnsRequest::liveTurnsQuery)
            .forAgents(READING_TURNS)
            .forSubjects(),
        readOperation("get_turn", Turn.TABLE, MemoryView::turn).forAgents(READING_TURNS),
        Operation.readOnly(
                "list_summarized_turns",
                RecordIdRequest.class,
                (caller, input) ->
                    PageResponse.ofAll(
                        modules.memory().summarizedTurns(caller.space(), input.id())))
            .forAgents(READING_TURNS)
            .forSubjects(),
        Operation.transactional(
                "create_artifacts",
                CreateArtifactsRequest.class,
                (transaction, _, input) ->
                    PageResponse.ofAll(modules.memory().run(transaction, input.command())))
            .forAgents(RequiredPermissions.forChanging(MemoryKind.ARTIFACT))
            .forSubjects(SubjectRule.forWrites("artifacts/*")),
        pages
            .listOperation(
                "list_artifacts",
                ListArtifactsRequest.class,
                input -> input.query(modules.clock().instant()))
            .forAgents(RequiredPermissions.forReading(MemoryKind.ARTIFACT))
            .forSubjects(),
        readOperation("get_artifact", Artifact.TABLE, MemoryView::artifact)
            .forAgents(RequiredPermissions.forReading(MemoryKind.ARTIFACT)),
        commandOperation(
                "supersede_artifact",
                SupersedeArtifactRequest.class,
                input ->
                    new SupersedeArtifact(input.id(), input.artifact().toCommand(input.scope())))
            .withTarget(Artifact.TABLE, SupersedeArtifactRequest::id)
            .forAgents(RequiredPermissions.forChanging(MemoryKind.ARTIFACT))
            .forSubjects(SubjectRule.forWrites("artifact")),
        Operation.transactional( // a job writes the ledger
                "save_checkpoint",
                SaveCheckpoint.class,
                (transaction, _, command) ->
                    modules.memory().run(transaction, command).withLedgerKept(false))
            .forAgents(WRITING_TRAJECTORIES)
            .forSubjects(),
        Operation.readOnly(
                "list_checkpoints",
                ListCheckpointsRequest.class,
                (caller, input) -> listCheckpoints(pages, caller, input))
            .forAgents(READING_TRAJECTORIES)
            .forSubjects());
  }

  private List<Operation<?, ?>> jobOperations() {
    return List.of(
        commandOperation(
                "roll_back",
                RollBackTrajectoryRequest.class,
                input -> new RollBackTrajectory(input.trajectory(), input.checkpoint(), false))
            .forAgents(RequiredPermissions.EVERYTHING),
        Operation.longRunning( // in several commits
                "consolidate_trajectory",
                ConsolidateTrajectory.class,
                (caller, command) ->
                    PageResponse.ofAll(modules.memory().run(caller.space(), command)))
            .forAgents(RequiredPermissions.EVERYTHING),
        Operation.transactional(
            "run_policy",
            RunPolicyRequest.class,
            (transaction, _, input) ->
                PolicyRunStatus.of(
                    input.policy(),
                    modules.memory().run(transaction, input.command(transaction.newId())))));
  }

  record RecordIdRequest(Id id) {}

  record TrajectoryIdRequest(Id trajectory) {}

  private <T> Operation<RecordIdRequest, T> readOperation(
      String name, Table<T> table, BiFunction<MemoryView, Id, T> find) {
    return Operation.readOnly(
            name,
            RecordIdRequest.class,
            (caller, input) ->
                modules.memory().<T>view(caller.space(), view -> find.apply(view, input.id())))
        .withTarget(table, RecordIdRequest::id)
        .forSubjects();
  }

  private <I extends Record, O> Operation<I, O> commandOperation(
      String name, Class<I> input, Function<I, Command<O>> command) {
    return Operation.transactional(
        name,
        input,
        (transaction, _, request) -> modules.memory().run(transaction, command.apply(request)));
  }

  private Operation<RecordIdRequest, Trajectory> moveOperation(
      String name, Function<Id, SuspendOrResumeTrajectory> move) {
    return commandOperation(name, RecordIdRequest.class, input -> move.apply(input.id()))
        .withTarget(Trajectory.TABLE, RecordIdRequest::id)
        .forAgents(CHANGING_TRAJECTORIES)
        .forSubjects();
  }

  /** The request to start a trajectory. */
  record StartTrajectoryRequest(
      String goal,
      Optional<EntityRef> initiator,
      Optional<Id> parent,
      List<String> tags,
      Optional<String> subject,
      Optional<String> session,
      Map<String, Object> metadata,
      Optional<Boolean> group) {
    StartTrajectory command(Caller caller) {
      return new StartTrajectory(
          goal,
          initiatorOrCaller(caller),
          parent,
          tags,
          new Labels(subject, session, metadata),
          group.orElse(false));
    }

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
    private EntityRef initiatorOrCaller(Caller caller) {
      String self =
          caller
              .agent()
              .filter(agent -> !agent.home().equals(caller.space()))
              .map(ActingAgent::toString)
              .orElse(caller.actor());
      return initiator.orElseGet(() -> EntityRef.agent(self));
    }
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
      Optional<String> cursor)
      implements PageReader.PageRequest {
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

  /** The end of a trajectory. */
  record EndTrajectoryRequest(Id id, Optional<String> summary, Optional<Boolean> partial) {}

  private Operation<EndTrajectoryRequest, Trajectory> endOperation(
      String name, OutcomeStatus status) {
    return Operation.transactional(
            name,
            EndTrajectoryRequest.class,
            new MemoryCommandChange<>(
                modules,
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

  /** The request for a page of a trajectory's records. */
  record ListCheckpointsRequest(Id trajectory, Optional<Integer> limit, Optional<String> cursor)
      implements PageReader.PageRequest {}

  /** The request for a page of a trajectory's records that may have been rolled back. */
  record ListScopesRequest(
      Id trajectory,
      Optional<List<String>> include,
      Optional<Integer> limit,
      Optional<String> cursor)
      implements PageReader.PageRequest {}

  private static Query<Scope> scopes(ListScopesRequest input) {
    return IncludeParameter.of(input.include())
        .filter(
            Query.over(Scope.TABLE, "trajectory", "sequence").equal(input.trajectory()),
            Scope::rolledBackAt);
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
      Map<String, Object> metadata) {
    NewTurn toNewTurn() {
      if (text.isPresent() == parts.isPresent()) {
        throw ServerException.invalidInput("/text", "Send either 'text' or 'parts'");
      }
      return new NewTurn(
          role,
          parts.orElseGet(() -> List.of(TurnPart.text(text.orElseThrow()))),
          tokens,
          model,
          new Labels(subject, externalId, metadata));
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

  private AppendTurnsResponse appendTurns(
      Transaction transaction, Caller caller, AppendTurnsRequest input) {
    if (input.scope().isPresent() == input.session().isPresent()) {
      throw ServerException.invalidInput("/scope", "Send either 'scope' or 'session'");
    }
    if (input.scope().isPresent()) {
      AppendTurns command = new AppendTurns(input.scope().get(), input.newTurns());
      return new AppendTurnsResponse(modules.memory().run(transaction, command), List.of());
    }
    AppendResult appended =
        modules.memory().remember(transaction, input.session().orElseThrow(), input.newTurns());
    boolean reads = new WriteOnlyNoteView(modules.agents()).canReadNotes(transaction, caller);
    return new AppendTurnsResponse(appended.turns(), reads ? appended.notes() : List.of());
  }

  /** The filter of the turn list: a trajectory or one scope. */
  record ListTurnsRequest(
      Optional<Id> trajectory,
      Optional<Id> scope,
      Optional<List<String>> include,
      Optional<Integer> limit,
      Optional<String> cursor)
      implements PageReader.PageRequest {
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

  /** An artifact to create: text, or any content in base64. */
  record ArtifactInput(
      ArtifactType type,
      Optional<String> text,
      Optional<Bytes> content,
      Optional<ExtractionMethod> method,
      Optional<Double> confidence,
      List<Id> sources,
      Optional<Ttl> ttl,
      Optional<Integer> schemaVersion,
      Optional<String> subject,
      Optional<String> externalId,
      Map<String, Object> metadata) {
    NewArtifact toCommand(Id scope) {
      if (text.isPresent() == content.isPresent()) {
        throw ServerException.invalidInput("/text", "Send either 'text' or 'content'");
      }
      return new NewArtifact(
          scope,
          type,
          content.orElseGet(() -> Bytes.of(text.orElseThrow().getBytes(StandardCharsets.UTF_8))),
          new Provenance(
              Optional.empty(), method.orElse(ExtractionMethod.EXPLICIT), confidence, sources),
          ttl.orElse(Ttl.persistent()),
          schemaVersion.orElse(1),
          new Labels(subject, externalId, metadata));
    }
  }

  record CreateArtifactsRequest(Id scope, List<ArtifactInput> artifacts) {
    CreateArtifacts command() {
      return new CreateArtifacts(artifacts.stream().map(one -> one.toCommand(scope)).toList());
    }
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
      Optional<Boolean> live)
      implements PageReader.PageRequest {
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

  /** An artifact that supersedes another. */
  record SupersedeArtifactRequest(Id id, Id scope, ArtifactInput artifact) {}

  private PageResponse<Checkpoint> listCheckpoints(
      PageReader pages, Caller caller, ListCheckpointsRequest input) {
    PageResponse<Checkpoint> page =
        pages.read(
            caller,
            Query.over(Checkpoint.TABLE, "trajectory", "created_at")
                .equal(input.trajectory())
                .descending(),
            input);
    return new PageResponse<>(
        modules.guardian().withLedgers(caller.space(), page.items()), page.next());
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
}
