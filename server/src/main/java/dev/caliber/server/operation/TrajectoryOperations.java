package dev.caliber.server.operation;

import dev.caliber.agents.ActingAgent;
import dev.caliber.agents.AgentId;
import dev.caliber.agents.Needs;
import dev.caliber.kernel.Id;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.Appended;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.Consolidate;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.MoveTrajectory;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RollBack;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeArtifact;
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
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.RunState;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.Turn;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Trajectories, their scopes, turns, artifacts and checkpoints. */
final class TrajectoryOperations {
  private static final Needs READING_TRAJECTORIES = Needs.reading(MemoryKind.TRAJECTORY);
  private static final Needs WRITING_TRAJECTORIES = Needs.writing(MemoryKind.TRAJECTORY);
  private static final Needs CHANGING_TRAJECTORIES = Needs.changing(MemoryKind.TRAJECTORY);

  private final Rooms rooms;
  private final Pages pages;

  private TrajectoryOperations(Rooms rooms, Pages pages) {
    this.rooms = rooms;
    this.pages = pages;
  }

  static List<Operation<?, ?>> of(Rooms rooms, ServerConfig.Limits limits) {
    TrajectoryOperations here = new TrajectoryOperations(rooms, Pages.of(rooms, limits));
    return List.of(
        here.start(),
        here.list(),
        here.reading("get_trajectory", "A trajectory.", (view, id) -> view.trajectory(id))
            .about(Trajectory.TABLE, Named::id)
            .forAgents(READING_TRAJECTORIES)
            .forSubjects(),
        here.moving("suspend_trajectory", "Suspends a trajectory.", MoveTrajectory::suspend),
        here.moving(
            "resume_trajectory", "Lets a suspended trajectory go on.", MoveTrajectory::resume),
        here.ending("complete_trajectory", "Ends a trajectory well.", OutcomeStatus.SUCCESS),
        here.ending("fail_trajectory", "Ends a trajectory that failed.", OutcomeStatus.FAILURE),
        here.command(
                "open_scope",
                "Opens one more scope of a trajectory.",
                Within.class,
                input -> new OpenScope(input.trajectory()))
            .forAgents(Needs.writing(MemoryKind.SCOPE))
            .forSubjects(),
        here.close(),
        here.listScopes(),
        here.reading("get_scope", "A scope.", (view, id) -> view.scope(id))
            .about(Scope.TABLE, Named::id)
            .forAgents(Needs.reading(MemoryKind.SCOPE))
            .forSubjects(),
        here.append(),
        here.listTurns(),
        here.reading("get_turn", "A turn.", (view, id) -> view.turn(id))
            .about(Turn.TABLE, Named::id)
            .forAgents(Needs.reading(MemoryKind.TURN))
            .forSubjects(),
        here.uncompact(),
        here.createArtifacts(),
        here.listArtifacts(),
        here.reading("get_artifact", "An artifact.", (view, id) -> view.artifact(id))
            .about(Artifact.TABLE, Named::id)
            .forAgents(Needs.reading(MemoryKind.ARTIFACT))
            .forSubjects(),
        here.supersede(),
        here.saveCheckpoint(),
        here.listCheckpoints(),
        here.command(
                "roll_back",
                "Returns a trajectory to a checkpoint; without one, to the newest.",
                Returning.class,
                input -> new RollBack(input.trajectory(), input.checkpoint(), false))
            .forAgents(Needs.EVERYTHING),
        here.consolidate(),
        here.runPolicy());
  }

  private Operation<Named, Trajectory> moving(
      String name, String description, Function<Id, MoveTrajectory> move) {
    return command(name, description, Named.class, input -> move.apply(input.id()))
        .about(Trajectory.TABLE, Named::id)
        .forAgents(CHANGING_TRAJECTORIES)
        .forSubjects();
  }

  /** One record. */
  record Named(Id id) {}

  /** Something of a trajectory. */
  record Within(Id trajectory) {}

  /** Reads one record of memory. */
  interface Find<T> {
    T find(dev.caliber.memory.MemoryView view, Id id);
  }

  private <T> Operation<Named, T> reading(String name, String summary, Find<T> find) {
    return Operation.reading(
        name,
        summary,
        Named.class,
        (caller, input) ->
            rooms.memory().view(caller.space(), view -> find.find(view, input.id())));
  }

  private <I extends Record, O> Operation<I, O> command(
      String name, String summary, Class<I> input, Function<I, Command<O>> command) {
    return Operation.writing(
        name,
        summary,
        input,
        (transaction, _, wish) -> rooms.memory().run(transaction, command.apply(wish)));
  }

  /** A task to begin. */
  record Start(
      String goal,
      Optional<EntityRef> initiator,
      Optional<Id> parent,
      Optional<List<String>> tags,
      Optional<String> subject,
      Optional<String> session,
      Optional<Map<String, Object>> metadata,
      Optional<Boolean> group) {
    Needs needs() {
      return initiator
          .filter(one -> one.type() == EntityType.AGENT)
          .map(one -> Needs.speakingFor(List.of(new AgentId(one.id()))).and(WRITING_TRAJECTORIES))
          .orElse(WRITING_TRAJECTORIES);
    }

    /** An agent of another space is named with it: its name here is somebody else's. */
    EntityRef startedBy(Caller caller) {
      String self =
          caller
              .agent()
              .filter(agent -> !agent.home().equals(caller.space()))
              .map(ActingAgent::toString)
              .orElse(caller.actor());
      return initiator.orElseGet(() -> EntityRef.agent(self));
    }
  }

  private Operation<Start, Trajectory> start() {
    return Operation.<Start, Trajectory>writing(
            "start_trajectory",
            "Starts a trajectory and opens its first scope.",
            Start.class,
            (transaction, caller, wish) ->
                rooms
                    .memory()
                    .run(
                        transaction,
                        new StartTrajectory(
                            wish.goal(),
                            wish.startedBy(caller),
                            wish.parent(),
                            wish.tags().orElse(List.of()),
                            new Labels(
                                wish.subject(), wish.session(), wish.metadata().orElse(Map.of())),
                            wish.group().orElse(false))))
        .forAgents(Start::needs)
        .forSubjects(SubjectRule.writing(""));
  }

  /** Which trajectories; newest first, by status the least recently touched first. */
  record ListTrajectories(
      Optional<TrajectoryStatus> status,
      Optional<String> session,
      Optional<String> subject,
      Optional<Id> parent,
      Optional<Integer> limit,
      Optional<String> cursor) {
    Query<Trajectory> query() {
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

    Query<Trajectory> filtered() {
      boolean mixed = status.isPresent() && !session.or(() -> subject).isEmpty();
      return mixed || (status.isPresent() && parent.isPresent())
          ? query().where(found -> found.status() == status.get())
          : query();
    }
  }

  private Operation<ListTrajectories, Listed<Trajectory>> list() {
    return Operation.<ListTrajectories, Listed<Trajectory>>reading(
            "list_trajectories",
            "Trajectories, page by page.",
            ListTrajectories.class,
            (caller, input) ->
                pages.read(
                    rooms.memory(),
                    caller,
                    input.filtered(),
                    new Pages.Wanted(input.limit(), input.cursor())))
        .forAgents(READING_TRAJECTORIES)
        .forSubjects(SubjectRule.reading());
  }

  /** How a trajectory ends. */
  record Ending(Id id, Optional<String> summary, Optional<Boolean> partial) {}

  private Operation<Ending, Trajectory> ending(String name, String summary, OutcomeStatus status) {
    return Operation.<Ending, Trajectory>writing(
            name,
            summary,
            Ending.class,
            new PreparedCommand<>(
                rooms,
                input ->
                    new EndTrajectory(
                        input.id(),
                        input.partial().orElse(false) && status == OutcomeStatus.SUCCESS
                            ? OutcomeStatus.PARTIAL
                            : status,
                        input.summary().orElse(""))))
        .about(Trajectory.TABLE, Ending::id)
        .forAgents(CHANGING_TRAJECTORIES)
        .forSubjects();
  }

  /** A summary may be made by a model, which is slow: so before the commit. */
  private Operation<Named, Scope> close() {
    return Operation.lasting(
            "close_scope",
            "Closes a scope: summary, artifacts and checkpoint in one commit.",
            Named.class,
            (caller, input) -> rooms.memory().run(caller.space(), CloseScope.of(input.id())))
        .about(Scope.TABLE, Named::id)
        .forAgents(Needs.changing(MemoryKind.SCOPE))
        .forSubjects();
  }

  /** Something of a trajectory, page by page. */
  record PagedWithin(Id trajectory, Optional<Integer> limit, Optional<String> cursor) {
    Pages.Wanted page() {
      return new Pages.Wanted(limit, cursor);
    }
  }

  /** The same, where a return to a checkpoint may have taken some away. */
  record LivingWithin(
      Id trajectory,
      Optional<List<String>> include,
      Optional<Integer> limit,
      Optional<String> cursor) {
    Pages.Wanted page() {
      return new Pages.Wanted(limit, cursor);
    }

    <T> Query<T> of(Query<T> all, Function<T, Optional<Instant>> rolledBackAt) {
      return Included.of(include).filter(all, rolledBackAt);
    }
  }

  private Operation<LivingWithin, Listed<Scope>> listScopes() {
    return Operation.<LivingWithin, Listed<Scope>>reading(
            "list_scopes",
            "The scopes of a trajectory, in the order of their opening.",
            LivingWithin.class,
            (caller, input) ->
                pages.read(
                    caller,
                    input.of(
                        Query.over(Scope.TABLE, "trajectory", "sequence").equal(input.trajectory()),
                        Scope::rolledBackAt),
                    input.page()))
        .forAgents(Needs.reading(MemoryKind.SCOPE))
        .forSubjects();
  }

  /** A message. */
  record Message(
      Role role,
      Optional<String> text,
      Optional<List<Part>> parts,
      Optional<Integer> tokens,
      Optional<String> model,
      Optional<String> subject,
      Optional<String> externalId,
      Optional<Map<String, Object>> metadata) {
    NewTurn turn() {
      if (text.isPresent() == parts.isPresent()) {
        throw ServerException.invalidInput("/text", "Wanted text or parts, found both or neither");
      }
      return new NewTurn(
          role,
          parts.orElseGet(() -> List.of(Part.text(text.orElseThrow()))),
          tokens,
          model,
          new Labels(subject, externalId, metadata.orElse(Map.of())));
    }
  }

  /** Messages for a scope, or for the current scope of a session, which they may begin. */
  record Append(Optional<Id> scope, Optional<String> session, List<Message> turns) {
    List<NewTurn> newTurns() {
      return turns.stream().map(Message::turn).toList();
    }

    /** A session may have to be begun; and a turn with a name may be there, and is answered. */
    Needs needs() {
      Needs writing =
          session.isPresent()
              ? Needs.writing(MemoryKind.TRAJECTORY, MemoryKind.SCOPE, MemoryKind.TURN)
              : Needs.writing(MemoryKind.TURN);
      return turns.stream().anyMatch(turn -> turn.externalId().isPresent())
          ? writing.and(Needs.reading(MemoryKind.TURN))
          : writing;
    }
  }

  /**
   * Turns that were appended.
   *
   * @param notes what users state in the turns of a session; a model may add to them later
   */
  record AppendedTurns(List<Turn> items, List<Note> notes) {}

  private Operation<Append, AppendedTurns> append() {
    return Operation.<Append, AppendedTurns>writing(
            "append_turns",
            "Appends turns to a scope or to a session, all or none.",
            Append.class,
            this::append)
        .forAgents(Append::needs)
        .forSubjects(SubjectRule.saying("turns/*"));
  }

  private AppendedTurns append(Transaction transaction, Caller caller, Append input) {
    if (input.scope().isPresent() == input.session().isPresent()) {
      throw ServerException.invalidInput(
          "/scope", "Wanted a scope or a session, found both or neither");
    }
    if (input.scope().isPresent()) {
      AppendTurns command = new AppendTurns(input.scope().get(), input.newTurns());
      return new AppendedTurns(rooms.memory().run(transaction, command), List.of());
    }
    Appended said =
        rooms.memory().remember(transaction, input.session().orElseThrow(), input.newTurns());
    boolean reads = new OwnWords(rooms.agents()).reads(transaction, caller);
    return new AppendedTurns(said.turns(), reads ? said.notes() : List.of());
  }

  /** Turns of a trajectory or of one scope. */
  record ListTurns(
      Optional<Id> trajectory,
      Optional<Id> scope,
      Optional<List<String>> include,
      Optional<Integer> limit,
      Optional<String> cursor) {
    Query<Turn> living() {
      return Included.of(include).filter(query(), Turn::rolledBackAt);
    }

    private Query<Turn> query() {
      if (trajectory.isPresent() == scope.isPresent()) {
        throw ServerException.invalidInput(
            "/trajectory", "Wanted a trajectory or a scope, found both or neither");
      }
      return scope
          .map(id -> Query.over(Turn.TABLE, "scope", "sequence").equal(id))
          .orElseGet(
              () ->
                  Query.over(Turn.TABLE, "trajectory", "position").equal(trajectory.orElseThrow()));
    }
  }

  private Operation<ListTurns, Listed<Turn>> listTurns() {
    return Operation.<ListTurns, Listed<Turn>>reading(
            "list_turns",
            "Turns in the order in which they were said.",
            ListTurns.class,
            (caller, input) ->
                pages.read(caller, input.living(), new Pages.Wanted(input.limit(), input.cursor())))
        .forAgents(Needs.reading(MemoryKind.TURN))
        .forSubjects();
  }

  private Operation<Named, Listed<Turn>> uncompact() {
    return Operation.<Named, Listed<Turn>>reading(
            "uncompact",
            "The turns behind the summary of a scope or trajectory, verbatim.",
            Named.class,
            (caller, input) -> Listed.whole(rooms.memory().uncompact(caller.space(), input.id())))
        .forAgents(Needs.reading(MemoryKind.TURN))
        .forSubjects();
  }

  /** An artifact to be made; text, or any content in base64. */
  record Made(
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
    CreateArtifact in(Id scope) {
      if (text.isPresent() == content.isPresent()) {
        throw ServerException.invalidInput(
            "/text", "Wanted text or content, found both or neither");
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

  /** Artifacts for a scope. */
  record Create(Id scope, List<Made> artifacts) {}

  private Operation<Create, Listed<Artifact>> createArtifacts() {
    return Operation.<Create, Listed<Artifact>>writing(
            "create_artifacts",
            "Makes artifacts in a scope, all or none; content that is there is not stored again.",
            Create.class,
            (transaction, _, input) ->
                Listed.whole(
                    rooms
                        .memory()
                        .run(
                            transaction,
                            new CreateArtifacts(
                                input.artifacts().stream()
                                    .map(made -> made.in(input.scope()))
                                    .toList()))))
        .forAgents(Needs.changing(MemoryKind.ARTIFACT))
        .forSubjects(SubjectRule.writing("artifacts/*"));
  }

  /**
   * The artifacts of a trajectory, or those of them that a system knows by this name.
   *
   * @param live only those that count now
   */
  record ListArtifacts(
      Id trajectory,
      Optional<List<String>> include,
      Optional<Integer> limit,
      Optional<String> cursor,
      Optional<String> externalId,
      Optional<Boolean> live) {
    Query<Artifact> query(Instant now) {
      if (live.orElse(false)) {
        Inputs.requireAlone("live", include);
        return query().where(made -> made.trajectory().equals(trajectory) && made.isLive(now));
      }
      Included included = Included.of(include);
      return query()
          .where(
              made -> made.trajectory().equals(trajectory) && included.passes(made.rolledBackAt()));
    }

    private Query<Artifact> query() {
      return externalId
          .map(name -> Query.over(Artifact.TABLE, "external_id", "created_at").equal(name))
          .orElseGet(
              () -> Query.over(Artifact.TABLE, "trajectory", "created_at").equal(trajectory));
    }
  }

  private Operation<ListArtifacts, Listed<Artifact>> listArtifacts() {
    return Operation.<ListArtifacts, Listed<Artifact>>reading(
            "list_artifacts",
            "The artifacts of a trajectory, oldest first.",
            ListArtifacts.class,
            (caller, input) ->
                pages.read(
                    caller,
                    input.query(rooms.clock().instant()),
                    new Pages.Wanted(input.limit(), input.cursor())))
        .forAgents(Needs.reading(MemoryKind.ARTIFACT))
        .forSubjects();
  }

  /** A better artifact for the place of another. */
  record Supersede(Id id, Id scope, Made artifact) {}

  private Operation<Supersede, Artifact> supersede() {
    return command(
            "supersede_artifact",
            "Makes an artifact in the place of another, which stays as history.",
            Supersede.class,
            input -> new SupersedeArtifact(input.id(), input.artifact().in(input.scope())))
        .about(Artifact.TABLE, Supersede::id)
        .forAgents(Needs.changing(MemoryKind.ARTIFACT))
        .forSubjects(SubjectRule.writing("artifact"));
  }

  /** A point to return to. */
  record Checkpointing(Id trajectory, Optional<Id> scope, Optional<Id> window) {}

  /** Its ledger is made by a job afterwards. */
  private Operation<Checkpointing, Checkpoint> saveCheckpoint() {
    return Operation.<Checkpointing, Checkpoint>writing(
            "save_checkpoint",
            "Saves a point that the trajectory can return to, as part of a commit.",
            Checkpointing.class,
            (transaction, _, input) ->
                rooms
                    .memory()
                    .run(
                        transaction,
                        new SaveCheckpoint(input.trajectory(), input.scope(), input.window()))
                    .withLedger(false))
        .forAgents(WRITING_TRAJECTORIES)
        .forSubjects();
  }

  private Operation<PagedWithin, Listed<Checkpoint>> listCheckpoints() {
    return Operation.<PagedWithin, Listed<Checkpoint>>reading(
            "list_checkpoints",
            "The checkpoints of a trajectory, newest first.",
            PagedWithin.class,
            (caller, input) -> {
              Listed<Checkpoint> page =
                  pages.read(
                      caller,
                      Query.over(Checkpoint.TABLE, "trajectory", "created_at")
                          .equal(input.trajectory())
                          .descending(),
                      input.page());
              return new Listed<>(
                  rooms.guardian().withLedgers(caller.space(), page.items()), page.next());
            })
        .forAgents(READING_TRAJECTORIES)
        .forSubjects();
  }

  /** Where to return to. */
  record Returning(Id trajectory, Optional<Id> checkpoint) {}

  /** A policy by its name; without a key it is a run of its own. */
  record Running(String policy, Optional<Id> trajectory, Optional<Id> scope, Optional<String> key) {
    RunPolicy command(Id otherwise) {
      return new RunPolicy(policy, trajectory, scope, key.orElseGet(otherwise::toString));
    }
  }

  /** A run as it stands. */
  record RunOfPolicy(
      Id id,
      String policy,
      RunState state,
      Optional<Id> trajectory,
      Optional<Id> scope,
      int steps,
      int done,
      Optional<String> error) {
    static RunOfPolicy of(String policy, PolicyRun run) {
      return new RunOfPolicy(
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

  /** It may take from a whole space, as clean-up does, and needs the same right. */
  private Operation<Running, RunOfPolicy> runPolicy() {
    return Operation.<Running, RunOfPolicy>writing(
            "run_policy",
            "Runs a deployed policy by hand, once for each key: its job does the steps; the same key"
                + " again tells how far it is.",
            Running.class,
            (transaction, _, input) ->
                RunOfPolicy.of(
                    input.policy(),
                    rooms.memory().run(transaction, input.command(transaction.newId()))))
        .needing(Right.ADMIN);
  }

  /** A task may have left any number of them, which takes more than one commit. */
  private Operation<Within, Listed<Id>> consolidate() {
    return Operation.<Within, Listed<Id>>lasting(
            "consolidate",
            "Makes notes of what a trajectory has left in artifacts; answers their ids.",
            Within.class,
            (caller, input) ->
                Listed.whole(
                    rooms.memory().run(caller.space(), new Consolidate(input.trajectory()))))
        .forAgents(Needs.EVERYTHING);
  }
}
