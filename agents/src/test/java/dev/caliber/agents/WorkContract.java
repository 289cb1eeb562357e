package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.Remember;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Work that passes from agent to agent, on whatever engine. */
abstract class WorkContract extends AgentsFixture {
  private static final Outline OUTLINE =
      new Outline(
          "Half of it is done.",
          List.of("Write the test"),
          List.of("No access to the server"),
          List.of("Which version?"),
          "end of shift");

  private Note note(String words) {
    return memory.run(SPACE, WriteNote.of("build", "thing", NoteType.FACT, words));
  }

  private Scope scope(Trajectory task) {
    return memory.view(SPACE, view -> view.currentScope(task.id())).orElseThrow();
  }

  private Artifact artifact(Trajectory task, String words) {
    return memory
        .run(
            SPACE,
            CreateArtifacts.of(
                CreateArtifact.of(scope(task).id(), ArtifactType.FACT, Bytes.of(words))))
        .getFirst();
  }

  private Delegation delegate(Address to) {
    return run(Delegate.of(PLANNER, to, Task.of("Write the test", task().id())));
  }

  private Delegation read(Delegation delegation) {
    return agents.view(SPACE, view -> view.delegation(delegation.id()));
  }

  private Delegation accept(AgentId agent, Delegation delegation) {
    return run(MoveDelegation.of(agent, delegation.id(), DelegationStatus.Event.ACCEPT));
  }

  private Delegation move(AgentId agent, Delegation delegation, DelegationStatus.Event event) {
    return run(MoveDelegation.of(agent, delegation.id(), event));
  }

  @Test
  @DisplayName("AGT-11, STO-13: a delegation keeps who, what, for whom, with what and until when")
  void delegates() {
    Trajectory task = task();
    Task work =
        new Task(
            "Write the test",
            task.id(),
            Shared.notes(note("It is green.").id()).withArtifacts(artifact(task, "the log").id()),
            Optional.of("Only the fast ones."),
            List.of("no network"));
    Delegation made =
        run(Delegate.of(PLANNER, Address.agent(ANNA), work).within(Duration.ofMinutes(5)));
    assertThat(read(made)).isEqualTo(made);
    assertThat(made.task()).isEqualTo(work);
    assertThat(made.status()).isEqualTo(DelegationStatus.PENDING);
    assertThat(made.deadline()).contains(clock.instant().plusSeconds(300));
    assertThat(listed(view -> view.pendingDelegations(ANNA, 10))).containsExactly(made);
    assertThat(listed(view -> view.pendingDelegations(BEN, 10))).isEmpty();
    assertThat(listed(view -> view.delegationsBy(PLANNER))).containsExactly(made);
  }

  @Test
  @DisplayName("AGT-12: accepting makes a child task, completing stores the result and ends it")
  void acceptsAndCompletes() {
    Delegation made = delegate(Address.type("coder"));
    Delegation accepted = accept(ANNA, made);
    Id child = accepted.childTrajectory().orElseThrow();
    assertThat(accepted.delegatee()).contains(ANNA);
    assertThat(accepted.acceptedAt()).contains(clock.instant());
    assertThat(memory.view(SPACE, view -> view.trajectory(child)).parent())
        .contains(made.task().trajectory());
    assertThat(read(ANNA).trajectory()).contains(child);
    assertThat(read(ANNA).status()).isEqualTo(AgentStatus.ACTIVE);
    move(ANNA, made, DelegationStatus.Event.BEGIN);
    run(MoveDelegation.of(ANNA, made.id(), DelegationStatus.Event.REPORT).saying("half"));
    assertThat(read(made).report()).contains("half");
    refuses(
        KernelErrorCode.INVALID_VALUE,
        () -> run(MoveDelegation.complete(ANNA, made.id(), "no json")));
    Delegation done = run(MoveDelegation.complete(ANNA, made.id(), "{\"tests\":3}"));
    assertThat(done.result()).contains("{\"tests\":3}");
    assertThat(done.completedAt()).contains(clock.instant());
    assertThat(memory.view(SPACE, view -> view.trajectory(child)).status())
        .isEqualTo(TrajectoryStatus.COMPLETED);
    assertThat(read(ANNA).trajectory()).isEmpty();
    refuses(
        KernelErrorCode.INVALID_STATE_TRANSITION,
        () -> move(ANNA, made, DelegationStatus.Event.FAIL));
  }

  @Test
  @DisplayName("AGT-12, ERR-07: work goes only to types that the agent may delegate to")
  void refusedDelegations() {
    Task work = Task.of("Do it", task().id());
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> run(Delegate.of(PLANNER, Address.agent(CARA), work)));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> run(Delegate.of(PLANNER, Address.type("reviewer"), work)));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED, () -> run(Delegate.of(ANNA, Address.agent(BEN), work)));
    refuses(
        AgentsErrorCode.NOT_REGISTERED,
        () -> run(Delegate.of(PLANNER, Address.agent(NOBODY), work)));
    refuses(
        MemoryErrorCode.UNKNOWN_RECORD,
        () -> run(Delegate.of(PLANNER, Address.agent(ANNA), Task.of("Do it", unknown()))));
    run(RegisterAgent.of("planner", Profile.of("lead").delegatingTo("painter", "lead")));
    refuses(
        AgentsErrorCode.DELEGATION_FAILED,
        () -> run(Delegate.of(PLANNER, Address.type("painter"), work)));
    refuses(
        AgentsErrorCode.DELEGATION_FAILED,
        () -> run(Delegate.of(PLANNER, Address.agent(PLANNER), work)));
  }

  @Test
  @DisplayName("AGT-13, J-49: unanswered work is rejected, late work fails, and says timeout")
  void deadlines() {
    Delegation unanswered = delegate(Address.agent(ANNA));
    Delegation late =
        run(
            Delegate.of(PLANNER, Address.agent(ANNA), Task.of("Quickly", task().id()))
                .within(Duration.ofMinutes(2)));
    Delegation shortly =
        run(
            Delegate.of(PLANNER, Address.agent(BEN), Task.of("Now", task().id()))
                .within(Duration.ofMinutes(2)));
    Id child = accept(ANNA, late).childTrajectory().orElseThrow();
    pass(Duration.ofMinutes(1));
    assertThat(read(late).status()).isEqualTo(DelegationStatus.ACCEPTED);
    pass(Duration.ofSeconds(62));
    assertThat(read(late).status()).isEqualTo(DelegationStatus.FAILED);
    assertThat(read(late).report()).contains("timeout");
    assertThat(memory.view(SPACE, view -> view.trajectory(child)).status())
        .isEqualTo(TrajectoryStatus.FAILED);
    assertThat(read(shortly).status()).isEqualTo(DelegationStatus.REJECTED);
    assertThat(read(unanswered).status()).isEqualTo(DelegationStatus.PENDING);
    pass(Duration.ofHours(1));
    assertThat(read(unanswered).status()).isEqualTo(DelegationStatus.REJECTED);
    assertThat(read(unanswered).report()).contains("timeout");
  }

  @Test
  @DisplayName("AGT-13: what is late is over, whether or not somebody has looked")
  void lateWorkIsOver() {
    Delegate quickly =
        Delegate.of(PLANNER, Address.agent(ANNA), Task.of("Quickly", task().id()))
            .within(Duration.ofMinutes(2));
    Delegation unanswered = run(quickly);
    Delegation begun = run(quickly);
    accept(ANNA, begun);
    move(ANNA, begun, DelegationStatus.Event.BEGIN);
    Delegation accepted = run(quickly);
    accept(ANNA, accepted);
    clock.advance(Duration.ofMinutes(2));
    run(Beat.of(ANNA));
    assertThat(refuses(AgentsErrorCode.DELEGATION_FAILED, () -> accept(ANNA, unanswered)))
        .hasMessageContaining("timeout");
    refuses(
        AgentsErrorCode.DELEGATION_FAILED,
        () -> run(MoveDelegation.complete(ANNA, begun.id(), "{}")));
    refuses(
        AgentsErrorCode.DELEGATION_FAILED,
        () -> move(ANNA, accepted, DelegationStatus.Event.BEGIN));
    assertThat(agents.tend(SPACE).delegations()).isEqualTo(3);
    assertThat(read(unanswered).status()).isEqualTo(DelegationStatus.REJECTED);
    assertThat(read(begun).status()).isEqualTo(DelegationStatus.FAILED);
    refuses(KernelErrorCode.INVALID_VALUE, () -> quickly.within(Duration.ofSeconds(-1)));
  }

  @Test
  void onlyThoseConcernedMoveIt() {
    Delegation made = delegate(Address.agent(ANNA));
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> accept(BEN, made));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED, () -> move(BEN, made, DelegationStatus.Event.REJECT));
    accept(ANNA, made);
    refuses(
        AgentsErrorCode.PERMISSION_DENIED, () -> move(PLANNER, made, DelegationStatus.Event.BEGIN));
    assertThat(move(PLANNER, made, DelegationStatus.Event.FAIL).status())
        .isEqualTo(DelegationStatus.FAILED);
    Delegation other = delegate(Address.agent(ANNA));
    assertThat(move(ANNA, other, DelegationStatus.Event.REJECT).status())
        .isEqualTo(DelegationStatus.REJECTED);
  }

  @Test
  @DisplayName("AGT-03, AGT-12: what crosses is what is named, if the receiver may read it")
  void needToKnow() {
    Trajectory task = task();
    Note shared = note("It is green.");
    note("The password is on the desk of the planner.");
    Task work = Task.of("Look", task.id()).sharing(Shared.notes(shared.id()));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> run(Delegate.of(PLANNER, Address.agent(BEN), work)));
    Delegation made = run(Delegate.of(PLANNER, Address.type("coder"), work));
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> accept(BEN, made));
    accept(ANNA, made);
    Briefing briefing = agents.briefing(SPACE, ANNA, made.id());
    assertThat(briefing.notes()).extracting(Note::id).containsExactly(shared.id());
    assertThat(briefing.artifacts()).isEmpty();
    assertThat(briefing.context()).isEmpty();
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> agents.briefing(SPACE, BEN, made.id()));
    refuses(AgentsErrorCode.UNKNOWN_RECORD, () -> agents.briefing(SPACE, ANNA, unknown()));
  }

  @Test
  @DisplayName(
      "AGT-03, AGT-12, AGT-15: shared artifacts need their own grant, when given and taken")
  void artifactsNeedTheirGrant() {
    Trajectory task = annasTask();
    Shared shared = Shared.NOTHING.withArtifacts(artifact(task, "the log").id());
    Task work = Task.of("Look", task.id()).sharing(shared);
    MemoryAccess notes = MemoryAccess.NONE.reading("note");
    run(RegisterAgent.of("ben", Profile.of("coder").under(PLANNER).granted(notes)));
    run(RegisterAgent.of("cara", Profile.of("reviewer").under(PLANNER).granted(notes)));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> run(Delegate.of(PLANNER, Address.agent(BEN), work)));
    Delegation made = run(Delegate.of(PLANNER, Address.type("coder"), work));
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> accept(BEN, made));
    HandOver hand = HandOver.of(ANNA, Address.agent(CARA), task.id(), OUTLINE).sharing(shared);
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> run(hand));
    Handoff passed =
        run(HandOver.of(ANNA, Address.type("reviewer"), task.id(), OUTLINE).sharing(shared));
    MoveHandoff accept = new MoveHandoff(CARA, passed.id(), HandoffStatus.Event.ACCEPT);
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> run(accept));
    run(
        RegisterAgent.of(
            "cara", Profile.of("reviewer").under(PLANNER).granted(notes.reading("artifact"))));
    assertThat(run(accept).receiver()).contains(CARA);
  }

  @Test
  @DisplayName("AGT-14, AGT-15: the notes that a handoff names cross, and no others")
  void handoffsNameNotes() {
    Trajectory task = annasTask();
    Note named = note("It is green.");
    note("The password is on the desk of the planner.");
    HandOver hand =
        HandOver.of(ANNA, Address.agent(CARA), task.id(), OUTLINE)
            .sharing(Shared.notes(named.id()));
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> run(hand));
    run(
        RegisterAgent.of(
            "cara",
            Profile.of("reviewer").under(PLANNER).granted(MemoryAccess.NONE.reading("note"))));
    Handoff made = run(hand);
    run(new MoveHandoff(CARA, made.id(), HandoffStatus.Event.ACCEPT));
    Briefing briefing = agents.briefing(SPACE, CARA, made.id());
    assertThat(briefing.notes()).extracting(Note::id).containsExactly(named.id());
    assertThat(briefing.artifacts()).isEmpty();
    assertThat(briefing.context()).isEmpty();
  }

  @Test
  @DisplayName("STO-13: work that can be accepted comes part by part, each of it once")
  void pendingInParts() {
    List<Delegation> all = new ArrayList<>();
    for (Address to : List.of(Address.agent(ANNA), Address.type("coder"))) {
      IntStream.range(0, 3).forEach(_ -> all.add(delegate(to)));
    }
    List<Delegation> found = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Optional<String> after = next;
      Part<Delegation> part =
          agents.view(SPACE, view -> view.pendingDelegations(Address.agent(ANNA), after, 2));
      found.addAll(part.records());
      next = part.next();
      accept(ANNA, part.records().getLast()); // what is taken meanwhile is no gap
    } while (next.isPresent());
    assertThat(found).isEqualTo(all);
    refuses(
        KernelErrorCode.INVALID_VALUE,
        () ->
            agents.view(
                SPACE,
                view -> view.pendingHandoffs(Address.agent(ANNA), Optional.of("no place"), 2)));
  }

  @Test
  @DisplayName("STO-13: what waits for a type is found by the type, without what is for one agent")
  void pendingByType() {
    Trajectory task = annasTask();
    delegate(Address.agent(BEN));
    Delegation work = delegate(Address.type("coder"));
    Handoff passed = run(HandOver.of(ANNA, Address.type("coder"), task.id(), OUTLINE));
    assertThat(listed(view -> view.pendingDelegations("coder", 10))).containsExactly(work);
    assertThat(listed(view -> view.pendingHandoffs("coder", 10))).containsExactly(passed);
    assertThat(listed(view -> view.pendingDelegations("reviewer", 10))).isEmpty();
    assertThat(listed(view -> view.pendingHandoffs("reviewer", 10))).isEmpty();
    delegate(Address.type("coder"));
    assertThat(listed(view -> view.pendingDelegations("coder", 1))).containsExactly(work);
    accept(BEN, work);
    run(new MoveHandoff(BEN, passed.id(), HandoffStatus.Event.ACCEPT));
    assertThat(listed(view -> view.pendingDelegations("coder", 10))).doesNotContain(work);
    assertThat(listed(view -> view.pendingHandoffs("coder", 10))).isEmpty();
  }

  @Test
  @DisplayName("AGT-18: of two who accept the same work at once, exactly one wins")
  void oneAccepts() throws Exception {
    Delegation made = delegate(Address.type("coder"));
    race(List.of(ANNA, BEN), AgentsErrorCode.DELEGATION_FAILED, agent -> accept(agent, made));
    List<Trajectory> begun = new ArrayList<>();
    memory.<Boolean>view(
        SPACE,
        view -> {
          view.eachChild(made.task().trajectory(), begun::add);
          return true;
        });
    assertThat(begun).hasSize(1);
  }

  @Test
  @DisplayName("AGT-18: of two who accept the same handoff at once, exactly one wins and has it")
  void oneTakesOver() throws Exception {
    AgentId dora = new AgentId("dora");
    run(RegisterAgent.of("dora", Profile.of("coder").under(PLANNER)));
    Trajectory task = annasTask();
    Handoff made = run(HandOver.of(ANNA, Address.type("coder"), task.id(), OUTLINE));
    race(
        List.of(BEN, dora),
        AgentsErrorCode.HANDOFF_FAILED,
        agent -> run(new MoveHandoff(agent, made.id(), HandoffStatus.Event.ACCEPT)));
    AgentId winner = read(made).receiver().orElseThrow();
    assertThat(listed(view -> view.at(task.id()))).extracting(Agent::id).containsExactly(winner);
    assertThat(traces("handoff_accepted")).hasSize(1);
  }

  /** Each tries three times, all at once: one of all tries wins, the others lose with this code. */
  private void race(List<AgentId> racers, AgentsErrorCode lost, Consumer<AgentId> start)
      throws Exception {
    int tries = 3 * racers.size();
    AtomicInteger won = new AtomicInteger();
    try (ExecutorService pool = threads()) {
      List<Future<?>> all =
          IntStream.range(0, tries)
              .<Future<?>>mapToObj(
                  i -> pool.submit(() -> tryToWin(racers.get(i % racers.size()), lost, start, won)))
              .toList();
      for (Future<?> each : all) {
        each.get();
      }
    }
    assertThat(won.get()).isEqualTo(1);
  }

  private static void tryToWin(
      AgentId racer, AgentsErrorCode lost, Consumer<AgentId> start, AtomicInteger won) {
    try {
      start.accept(racer);
      won.incrementAndGet();
    } catch (AgentsException e) {
      assertThat(e.code()).isEqualTo(lost);
    }
  }

  private Trajectory annasTask() {
    Trajectory task = task();
    memory.run(SPACE, AppendTurns.of(scope(task).id(), NewTurn.user("Please mend the build.")));
    run(new WorkOn(ANNA, task.id()));
    return task;
  }

  private Handoff read(Handoff handoff) {
    return agents.view(SPACE, view -> view.handoff(handoff.id()));
  }

  @Test
  @DisplayName("AGT-14, STO-13: a handoff keeps its task, snapshot, notes, steps and questions")
  void handsOver() {
    Trajectory task = annasTask();
    Handoff made = run(HandOver.of(ANNA, Address.agent(CARA), task.id(), OUTLINE));
    assertThat(read(made)).isEqualTo(made);
    assertThat(made.scope()).isEqualTo(scope(task).id());
    assertThat(made.outline()).isEqualTo(OUTLINE);
    assertThat(made.status()).isEqualTo(HandoffStatus.INITIATED);
    assertThat(listed(view -> view.pendingHandoffs(CARA, 10))).containsExactly(made);
    assertThat(listed(view -> view.handoffs(task.id()))).containsExactly(made);
  }

  @Test
  @DisplayName("AGT-15, J-50: the snapshot stays for good, and accepting moves the task")
  void snapshotStaysAndTaskMoves() {
    Trajectory task = annasTask();
    Handoff made = run(HandOver.of(ANNA, Address.type("reviewer"), task.id(), OUTLINE));
    Window window = store.read(SPACE, snapshot -> snapshot.get(Window.TABLE, made.snapshot()));
    assertThat(window.expiresAt()).isEmpty();
    Handoff accepted = run(new MoveHandoff(CARA, made.id(), HandoffStatus.Event.ACCEPT));
    assertThat(accepted.receiver()).contains(CARA);
    assertThat(read(ANNA).trajectory()).isEmpty();
    assertThat(read(CARA).trajectory()).contains(task.id());
    assertThat(read(CARA).scope()).contains(made.scope());
    Id brief = contexts.assemble(SPACE, lasting(task)).window().id();
    pass(Duration.ofDays(400));
    memory.tend(SPACE);
    assertThat(store.<Boolean>read(SPACE, found -> found.find(Window.TABLE, brief).isEmpty()))
        .as("a window with an end is gone")
        .isTrue();
    assertThat(store.<Window>read(SPACE, snapshot -> snapshot.get(Window.TABLE, made.snapshot())))
        .isEqualTo(window);
    run(Beat.of(CARA));
    assertThat(run(new MoveHandoff(CARA, made.id(), HandoffStatus.Event.COMPLETE)).status())
        .isEqualTo(HandoffStatus.COMPLETED);
  }

  @Test
  @DisplayName("AGT-15: a task has one open handoff, and takes nobody off but who hands it over")
  void oneHandoffAtATime() {
    Trajectory task = annasTask();
    run(new WorkOn(BEN, task.id()));
    Handoff first = run(HandOver.of(ANNA, Address.agent(CARA), task.id(), OUTLINE));
    HandOver second = HandOver.of(ANNA, Address.agent(PLANNER), task.id(), OUTLINE);
    assertThat(refuses(AgentsErrorCode.HANDOFF_FAILED, () -> run(second)))
        .hasMessageContaining(first.id().toString());
    run(new MoveHandoff(CARA, first.id(), HandoffStatus.Event.ACCEPT));
    assertThat(read(ANNA).trajectory()).isEmpty();
    assertThat(read(BEN).trajectory()).as("who only helps stays").contains(task.id());
    Handoff next = run(HandOver.of(CARA, Address.agent(PLANNER), task.id(), OUTLINE));
    assertThat(read(first).status())
        .as("who hands it on has taken it")
        .isEqualTo(HandoffStatus.COMPLETED);
    run(new MoveHandoff(PLANNER, next.id(), HandoffStatus.Event.ACCEPT));
    assertThat(read(CARA).trajectory()).isEmpty();
    assertThat(read(PLANNER).trajectory()).contains(task.id());
  }

  @Test
  @DisplayName("AGT-15: a task that has ended is neither handed over nor taken")
  void endedTasksStay() {
    Trajectory task = annasTask();
    Handoff made = run(HandOver.of(ANNA, Address.agent(CARA), task.id(), OUTLINE));
    memory.run(SPACE, EndTrajectory.complete(task.id(), "It is done."));
    assertThat(
            refuses(
                AgentsErrorCode.HANDOFF_FAILED,
                () -> run(new MoveHandoff(CARA, made.id(), HandoffStatus.Event.ACCEPT))))
        .hasMessageContaining("completed");
    run(new MoveHandoff(CARA, made.id(), HandoffStatus.Event.REJECT));
    refuses(
        AgentsErrorCode.HANDOFF_FAILED,
        () -> run(HandOver.of(ANNA, Address.agent(CARA), task.id(), OUTLINE)));
  }

  @Test
  @DisplayName("AGT-11: no work is given for a task that has ended, and nobody begins with it")
  void endedTasksGetNoWork() {
    Trajectory task = task();
    memory.run(SPACE, EndTrajectory.complete(task.id(), "It is done."));
    assertThat(
            refuses(
                AgentsErrorCode.DELEGATION_FAILED,
                () -> run(Delegate.of(PLANNER, Address.agent(ANNA), Task.of("Do", task.id())))))
        .hasMessageContaining("completed");
    refuses(MemoryErrorCode.TRAJECTORY_ENDED, () -> run(new WorkOn(ANNA, task.id())));
    assertThat(read(ANNA).trajectory()).isEmpty();
  }

  @Test
  @DisplayName("AGT-15: a snapshot never takes the place of another window")
  void snapshotsReplaceNothing() {
    Trajectory task = annasTask();
    Window kept = contexts.assemble(SPACE, lasting(task)).window();
    Window forged =
        new Window(
            kept.id(),
            kept.trajectory(),
            kept.inputs(),
            kept.recipe(),
            kept.inputHash(),
            "another",
            kept.usedTokens(),
            kept.frame(),
            kept.sections(),
            kept.ledger(),
            kept.assembledAt(),
            kept.expiresAt());
    HandOver hand = HandOver.of(ANNA, Address.agent(CARA), task.id(), OUTLINE);
    refuses(AgentsErrorCode.HANDOFF_FAILED, () -> run(hand.with(forged)));
    assertThat(run(hand.with(kept)).snapshot()).isEqualTo(kept.id());
  }

  @Test
  @DisplayName(
      "AGT-15: a snapshot that names what was forgotten meanwhile is not kept; the task moves")
  void snapshotsOfTheForgotten() {
    Trajectory task = annasTask();
    run(RegisterAgent.of("cara", Profile.of("reviewer").granted(MemoryAccess.all())));
    Note secret = note("The password is swordfish.");
    Window made = contexts.assemble(SPACE, AssembleRequest.of(task.id()).dry()).window();
    assertThat(made.ledger()).anyMatch(line -> line.candidate().id().equals(secret.id()));
    memory.forget(SPACE, Forget.of(secret.id()));
    Handoff handoff =
        run(
            HandOver.of(ANNA, Address.agent(CARA), task.id(), OUTLINE)
                .with(made)
                .withWholeContext());
    assertThat(store.<Long>read(SPACE, snapshot -> snapshot.count(Query.over(Window.TABLE))))
        .isZero();
    run(new MoveHandoff(CARA, handoff.id(), HandoffStatus.Event.ACCEPT));
    assertThat(read(CARA).trajectory()).contains(task.id());
    assertThat(agents.briefing(SPACE, CARA, handoff.id()).context()).isEmpty();
  }

  @Test
  @DisplayName("AGT-15, ERR-07: a context that cannot be had fails the handoff, and is recorded")
  void contextsInTheNameOfTheSender() {
    AtomicBoolean allowed = new AtomicBoolean();
    MemoryParts parts =
        MemoryParts.plain(
                clock, RuntimeConfig.starter(), TokenCounter.estimate(new TokenEstimate(4)))
            .withAccess((actor, _, _) -> allowed.get() && actor.equals("anna"));
    Agents guarded =
        Agents.of(
            store,
            AgentsConfig.starter(),
            new AgentsParts(
                clock,
                RuntimeConfig.starter(),
                Memory.of(store, MemoryConfig.starter(), parts),
                MemoryConfig.starter(),
                ContextAssembler.of(store, MemoryConfig.starter(), parts, TokenCounters.none())));
    HandOver hand = HandOver.of(ANNA, Address.agent(CARA), annasTask().id(), OUTLINE);
    refuses(AgentsErrorCode.HANDOFF_FAILED, () -> guarded.run(SPACE, hand));
    assertThat(traces("agent_refused").getFirst().detail()).contains("HandOver HANDOFF_FAILED");
    allowed.set(true);
    assertThat(guarded.run(SPACE, hand).from()).isEqualTo(ANNA);
    assertThat(guarded.memoryOf(SPACE, ANNA).remember(SPACE, Remember.of("It is green.")).content())
        .isEqualTo("It is green.");
  }

  private static AssembleRequest lasting(Trajectory task) {
    return AssembleRequest.of(task.id()).kept(new Persistence.Ttl(Duration.ofDays(1)));
  }

  @Test
  @DisplayName("AGT-03, AGT-15: a briefing is for one who may still read it, while it is theirs")
  void briefingsEnd() {
    Trajectory task = annasTask();
    Profile reader = Profile.of("reviewer").under(PLANNER).granted(MemoryAccess.all());
    run(RegisterAgent.of("cara", reader));
    Artifact named = artifact(task, "the log");
    Handoff made =
        run(
            HandOver.of(ANNA, Address.agent(CARA), task.id(), OUTLINE)
                .sharing(Shared.NOTHING.withArtifacts(named.id()))
                .withWholeContext());
    run(new MoveHandoff(CARA, made.id(), HandoffStatus.Event.ACCEPT));
    run(RegisterAgent.of("cara", reader.granted(MemoryAccess.NONE.reading("artifact"))));
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> agents.briefing(SPACE, CARA, made.id()));
    assertThat(traces("agent_refused").getFirst().detail()).contains("briefing PERMISSION_DENIED");
    run(RegisterAgent.of("cara", reader));
    store.write(SPACE, transaction -> transaction.delete(Window.TABLE, made.snapshot()));
    Briefing left = agents.briefing(SPACE, CARA, made.id());
    assertThat(left.artifacts()).hasSize(1);
    assertThat(left.context()).as("its window was forgotten").isEmpty();
    run(HandOver.of(PLANNER, Address.agent(BEN), task.id(), OUTLINE).inPlaceOf(made.id()));
    refuses(AgentsErrorCode.HANDOFF_FAILED, () -> agents.briefing(SPACE, CARA, made.id()));
    Delegation work = delegate(Address.agent(ANNA));
    accept(ANNA, work);
    move(ANNA, work, DelegationStatus.Event.FAIL);
    refuses(AgentsErrorCode.DELEGATION_FAILED, () -> agents.briefing(SPACE, ANNA, work.id()));
  }

  @Test
  @DisplayName("AGT-13: a task that cannot be ended keeps nothing else from happening in its time")
  void oneBadTaskKeepsNobodyWaiting() {
    AtomicBoolean allowed = new AtomicBoolean();
    Agents guarded =
        over(
            Memory.of(
                store,
                MemoryConfig.starter(),
                MemoryParts.plain(
                        clock, RuntimeConfig.starter(), TokenCounter.estimate(new TokenEstimate(4)))
                    .withAccess((actor, _, _) -> allowed.get() || !actor.equals("system"))));
    Jobs runner = Jobs.of(store, config().jobs(), clock);
    guarded.attach(runner);
    Delegation late =
        run(
            Delegate.of(PLANNER, Address.agent(ANNA), Task.of("Quickly", task().id()))
                .within(Duration.ofMinutes(2)));
    Id child = accept(ANNA, late).childTrajectory().orElseThrow();
    Message message =
        run(
            SendMessage.of(PLANNER, Address.agent(BEN), Letter.of("hint", "{}"))
                .lasting(Duration.ofMinutes(2)));
    clock.advance(Duration.ofMinutes(3));
    runner.runDue(SPACE);
    assertThat(read(message).state()).isEqualTo(MessageState.EXPIRED);
    assertThat(read(late).status()).isEqualTo(DelegationStatus.FAILED);
    assertThat(read(BEN).status()).isEqualTo(AgentStatus.FAILED);
    assertThat(memory.view(SPACE, view -> view.trajectory(child)).status())
        .isEqualTo(TrajectoryStatus.ACTIVE);
    allowed.set(true);
    clock.advance(Duration.ofHours(1));
    runner.runDue(SPACE);
    assertThat(memory.view(SPACE, view -> view.trajectory(child)).status())
        .isEqualTo(TrajectoryStatus.FAILED);
  }

  @Test
  @DisplayName("AGT-13: a store whose look was lost is looked after again once it is armed")
  void armedAgain() {
    store.write(
        SPACE,
        transaction -> {
          transaction
              .scan(Query.over(Jobs.TABLE), 100)
              .records()
              .forEach(job -> transaction.delete(Jobs.TABLE, job.id()));
          return true;
        });
    pass(Duration.ofMinutes(2));
    assertThat(read(ANNA).status()).isEqualTo(AgentStatus.IDLE);
    agents.arm(SPACE);
    pass(Duration.ofSeconds(2));
    assertThat(read(ANNA).status()).isEqualTo(AgentStatus.FAILED);
  }

  @Test
  @DisplayName("AGT-15: the whole context crosses only to one who may read all of it")
  void wholeContext() {
    Trajectory task = annasTask();
    HandOver whole = HandOver.of(ANNA, Address.agent(CARA), task.id(), OUTLINE).withWholeContext();
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> run(whole));
    run(
        RegisterAgent.of(
            "cara", Profile.of("reviewer").under(PLANNER).granted(MemoryAccess.all())));
    Handoff made = run(whole);
    run(new MoveHandoff(CARA, made.id(), HandoffStatus.Event.ACCEPT));
    assertThat(agents.briefing(SPACE, CARA, made.id()).context().orElseThrow())
        .contains("Please mend the build.");
  }

  @Test
  @DisplayName("AGT-14: under NEED_TO_KNOW a handoff carries the named records and no context")
  void handoffNeedToKnow() {
    Trajectory task = annasTask();
    run(
        RegisterAgent.of(
            "cara", Profile.of("reviewer").granted(MemoryAccess.NONE.reading("artifact"))));
    Artifact named = artifact(task, "the log");
    artifact(task, "the other log");
    Handoff made =
        run(
            HandOver.of(ANNA, Address.agent(CARA), task.id(), OUTLINE)
                .sharing(Shared.NOTHING.withArtifacts(named.id())));
    run(new MoveHandoff(CARA, made.id(), HandoffStatus.Event.ACCEPT));
    Briefing briefing = agents.briefing(SPACE, CARA, made.id());
    assertThat(briefing.artifacts()).extracting(Artifact::id).containsExactly(named.id());
    assertThat(briefing.notes()).isEmpty();
    assertThat(briefing.context()).isEmpty();
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> agents.briefing(SPACE, ANNA, made.id()));
  }

  @Test
  @DisplayName("AGT-15, ERR-07: a handoff that cannot be is refused, and nothing of it stays")
  void refusedHandoffs() {
    Trajectory task = annasTask();
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> run(HandOver.of(BEN, Address.agent(CARA), task.id(), OUTLINE)));
    refuses(
        AgentsErrorCode.HANDOFF_FAILED,
        () ->
            store.write(
                SPACE,
                transaction ->
                    agents.run(
                        transaction, HandOver.of(ANNA, Address.agent(CARA), task.id(), OUTLINE))));
    Handoff made = run(HandOver.of(ANNA, Address.agent(CARA), task.id(), OUTLINE));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> run(new MoveHandoff(BEN, made.id(), HandoffStatus.Event.ACCEPT)));
    run(new MoveHandoff(CARA, made.id(), HandoffStatus.Event.REJECT));
    refuses(
        AgentsErrorCode.HANDOFF_FAILED,
        () -> run(new MoveHandoff(CARA, made.id(), HandoffStatus.Event.ACCEPT)));
    assertThat(read(ANNA).trajectory()).contains(task.id());
  }

  @Test
  void whatIsForgottenIsForgottenHereAsWell() {
    Trajectory task = annasTask();
    Note shared = note("It is green.");
    Delegation kept =
        run(
            Delegate.of(
                PLANNER,
                Address.agent(ANNA),
                Task.of("Look", task().id()).sharing(Shared.notes(shared.id()))));
    accept(ANNA, kept);
    Delegation gone =
        run(Delegate.of(PLANNER, Address.agent(ANNA), Task.of("Quote her", task.id())));
    run(new WorkOn(ANNA, task.id()));
    Handoff handoff = run(HandOver.of(ANNA, Address.agent(CARA), task.id(), OUTLINE));
    Message message =
        run(
            SendMessage.of(
                PLANNER, Address.agent(ANNA), Letter.of("quote", "{}").about(task.id())));
    memory.forget(SPACE, Forget.of(task.id()));
    refuses(AgentsErrorCode.UNKNOWN_RECORD, () -> read(gone));
    refuses(AgentsErrorCode.UNKNOWN_RECORD, () -> read(handoff));
    refuses(AgentsErrorCode.UNKNOWN_RECORD, () -> read(message));
    assertThat(read(ANNA).trajectory()).isEmpty();
    assertThat(agents.briefing(SPACE, ANNA, kept.id()).notes()).hasSize(1);
    memory.forget(SPACE, Forget.of(shared.id()));
    assertThat(agents.briefing(SPACE, ANNA, kept.id()).notes()).isEmpty();
  }

  @Test
  @DisplayName("J-49: a handoff that hangs is superseded by whom its receiver reports to")
  void superseded() {
    Trajectory task = annasTask();
    Handoff hung = run(HandOver.of(ANNA, Address.agent(CARA), task.id(), OUTLINE));
    run(new MoveHandoff(CARA, hung.id(), HandoffStatus.Event.ACCEPT));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> run(HandOver.of(BEN, Address.agent(BEN), task.id(), OUTLINE).inPlaceOf(hung.id())));
    Handoff next =
        run(HandOver.of(PLANNER, Address.agent(BEN), task.id(), OUTLINE).inPlaceOf(hung.id()));
    assertThat(read(hung).supersededBy()).contains(next.id());
    assertThat(read(hung).status()).isEqualTo(HandoffStatus.ACCEPTED);
    refuses(
        AgentsErrorCode.HANDOFF_FAILED,
        () -> run(new MoveHandoff(CARA, hung.id(), HandoffStatus.Event.COMPLETE)));
    run(new MoveHandoff(BEN, next.id(), HandoffStatus.Event.ACCEPT));
    assertThat(read(CARA).trajectory()).isEmpty();
    assertThat(read(BEN).trajectory()).contains(task.id());
  }
}
