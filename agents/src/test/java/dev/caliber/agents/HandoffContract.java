package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.Remember;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.store.Query;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tasks that agents hand over with what belongs to them, on whatever engine. */
abstract class HandoffContract extends WorkFixture {

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
