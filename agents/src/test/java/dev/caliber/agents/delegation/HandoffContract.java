package dev.caliber.agents.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.AgentsDependencies;
import dev.caliber.agents.command.AssignTask;
import dev.caliber.agents.command.CreateDelegation;
import dev.caliber.agents.command.RecordHeartbeats;
import dev.caliber.agents.command.RegisterAgent;
import dev.caliber.agents.command.SendMessage;
import dev.caliber.agents.command.StartHandoff;
import dev.caliber.agents.command.TransitionHandoff;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageContent;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentProfile;
import dev.caliber.agents.registry.AgentsErrorCode;
import dev.caliber.agents.registry.MemoryAccess;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.Query;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Handoffs of tasks with their records. */
@EachEngine
class HandoffContract extends WorkFixture {

  @Test
  @DisplayName(
      "AGT-03, AGT-12, AGT-15: shared artifacts need their own grant, when given and taken")
  void artifactsNeedTheirGrant() {
    Trajectory task = annasTask();
    SharedRecords sharedRecords =
        SharedRecords.NOTHING.withArtifacts(artifact(task, "the log").id());
    DelegatedTask work = DelegatedTask.of("Look", task.id()).withShared(sharedRecords);
    MemoryAccess notes = MemoryAccess.NONE.withReadGrants("note");
    run(RegisterAgent.of("ben", AgentProfile.of("coder").withSuperior(PLANNER).withAccess(notes)));
    run(
        RegisterAgent.of(
            "cara", AgentProfile.of("reviewer").withSuperior(PLANNER).withAccess(notes)));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> run(CreateDelegation.of(PLANNER, Recipient.ofAgent(BEN), work)));
    Delegation made = run(CreateDelegation.of(PLANNER, Recipient.ofType("coder"), work));
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> accept(BEN, made));
    StartHandoff hand =
        StartHandoff.of(ANNA, Recipient.ofAgent(CARA), task.id(), OUTLINE)
            .withShared(sharedRecords);
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> run(hand));
    Handoff passed =
        run(
            StartHandoff.of(ANNA, Recipient.ofType("reviewer"), task.id(), OUTLINE)
                .withShared(sharedRecords));
    TransitionHandoff accept =
        new TransitionHandoff(CARA, passed.id(), HandoffStatus.HandoffTransition.ACCEPT);
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> run(accept));
    run(
        RegisterAgent.of(
            "cara",
            AgentProfile.of("reviewer")
                .withSuperior(PLANNER)
                .withAccess(notes.withReadGrants("artifact"))));
    assertThat(run(accept).receiver()).contains(CARA);
  }

  @Test
  @DisplayName("AGT-14, AGT-15: the notes that a handoff names cross, and no others")
  void handoffsNameNotes() {
    Trajectory task = annasTask();
    Note named = note("It is green.");
    note("The password is on the desk of the planner.");
    StartHandoff hand =
        StartHandoff.of(ANNA, Recipient.ofAgent(CARA), task.id(), OUTLINE)
            .withShared(SharedRecords.notes(named.id()));
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> run(hand));
    run(
        RegisterAgent.of(
            "cara",
            AgentProfile.of("reviewer")
                .withSuperior(PLANNER)
                .withAccess(MemoryAccess.NONE.withReadGrants("note"))));
    Handoff made = run(hand);
    run(new TransitionHandoff(CARA, made.id(), HandoffStatus.HandoffTransition.ACCEPT));
    Briefing briefing = agents.briefing(SPACE, CARA, made.id());
    assertThat(briefing.notes()).extracting(Note::id).containsExactly(named.id());
    assertThat(briefing.artifacts()).isEmpty();
    assertThat(briefing.context()).isEmpty();
  }

  @Test
  @DisplayName("AGT-18: of two who accept the same handoff at once, exactly one wins and has it")
  void oneTakesOver() throws Exception {
    AgentId dora = new AgentId("dora");
    run(RegisterAgent.of("dora", AgentProfile.of("coder").withSuperior(PLANNER)));
    Trajectory task = annasTask();
    Handoff made = run(StartHandoff.of(ANNA, Recipient.ofType("coder"), task.id(), OUTLINE));
    race(
        List.of(BEN, dora),
        AgentsErrorCode.HANDOFF_FAILED,
        agent ->
            run(new TransitionHandoff(agent, made.id(), HandoffStatus.HandoffTransition.ACCEPT)));
    AgentId winner = read(made).receiver().orElseThrow();
    assertThat(listed(view -> view.agentsAtTask(task.id())))
        .extracting(Agent::id)
        .containsExactly(winner);
    assertThat(traces("handoff_accepted")).hasSize(1);
  }

  @Test
  @DisplayName("AGT-14, STO-13: a handoff keeps its task, snapshot, notes, steps and questions")
  void handsOver() {
    Trajectory task = annasTask();
    Handoff made = run(StartHandoff.of(ANNA, Recipient.ofAgent(CARA), task.id(), OUTLINE));
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
    Handoff made = run(StartHandoff.of(ANNA, Recipient.ofType("reviewer"), task.id(), OUTLINE));
    Window window = store.read(SPACE, snapshot -> snapshot.get(Window.TABLE, made.snapshot()));
    assertThat(window.expiresAt()).isEmpty();
    Handoff accepted =
        run(new TransitionHandoff(CARA, made.id(), HandoffStatus.HandoffTransition.ACCEPT));
    assertThat(accepted.receiver()).contains(CARA);
    assertThat(read(ANNA).trajectory()).isEmpty();
    assertThat(read(CARA).trajectory()).contains(task.id());
    assertThat(read(CARA).scope()).contains(made.scope());
    Id brief = contexts.assemble(SPACE, lasting(task)).window().id();
    pass(Duration.ofDays(400));
    memory.runMaintenance(SPACE);
    assertThat(store.<Boolean>read(SPACE, found -> found.find(Window.TABLE, brief).isEmpty()))
        .as("a window with an end is gone")
        .isTrue();
    assertThat(store.<Window>read(SPACE, snapshot -> snapshot.get(Window.TABLE, made.snapshot())))
        .isEqualTo(window);
    run(RecordHeartbeats.of(CARA));
    assertThat(
            run(new TransitionHandoff(CARA, made.id(), HandoffStatus.HandoffTransition.COMPLETE))
                .status())
        .isEqualTo(HandoffStatus.COMPLETED);
  }

  @Test
  @DisplayName(
      "AGT-15: a task has one open handoff, and is taken only from the agent that hands it over")
  void oneHandoffAtATime() {
    Trajectory task = annasTask();
    run(new AssignTask(BEN, task.id()));
    Handoff first = run(StartHandoff.of(ANNA, Recipient.ofAgent(CARA), task.id(), OUTLINE));
    StartHandoff second = StartHandoff.of(ANNA, Recipient.ofAgent(PLANNER), task.id(), OUTLINE);
    assertThat(refuses(AgentsErrorCode.HANDOFF_FAILED, () -> run(second)))
        .hasMessageContaining(first.id().toString());
    run(new TransitionHandoff(CARA, first.id(), HandoffStatus.HandoffTransition.ACCEPT));
    assertThat(read(ANNA).trajectory()).isEmpty();
    assertThat(read(BEN).trajectory()).as("who only helps stays").contains(task.id());
    Handoff next = run(StartHandoff.of(CARA, Recipient.ofAgent(PLANNER), task.id(), OUTLINE));
    assertThat(read(first).status())
        .as("who hands it on has taken it")
        .isEqualTo(HandoffStatus.COMPLETED);
    run(new TransitionHandoff(PLANNER, next.id(), HandoffStatus.HandoffTransition.ACCEPT));
    assertThat(read(CARA).trajectory()).isEmpty();
    assertThat(read(PLANNER).trajectory()).contains(task.id());
  }

  @Test
  @DisplayName("AGT-15: a task that has ended is neither handed over nor taken")
  void endedTasksStay() {
    Trajectory task = annasTask();
    Handoff made = run(StartHandoff.of(ANNA, Recipient.ofAgent(CARA), task.id(), OUTLINE));
    memory.run(SPACE, EndTrajectory.complete(task.id(), "It is done."));
    assertThat(
            refuses(
                AgentsErrorCode.HANDOFF_FAILED,
                () ->
                    run(
                        new TransitionHandoff(
                            CARA, made.id(), HandoffStatus.HandoffTransition.ACCEPT))))
        .hasMessageContaining("completed");
    run(new TransitionHandoff(CARA, made.id(), HandoffStatus.HandoffTransition.REJECT));
    refuses(
        AgentsErrorCode.HANDOFF_FAILED,
        () -> run(StartHandoff.of(ANNA, Recipient.ofAgent(CARA), task.id(), OUTLINE)));
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
    StartHandoff hand = StartHandoff.of(ANNA, Recipient.ofAgent(CARA), task.id(), OUTLINE);
    refuses(AgentsErrorCode.HANDOFF_FAILED, () -> run(hand.withSnapshot(forged)));
    assertThat(run(hand.withSnapshot(kept)).snapshot()).isEqualTo(kept.id());
  }

  @Test
  @DisplayName(
      "AGT-15: a snapshot that names what was forgotten meanwhile is not kept; the task moves")
  void snapshotsOfTheForgotten() {
    Trajectory task = annasTask();
    run(RegisterAgent.of("cara", AgentProfile.of("reviewer").withAccess(MemoryAccess.all())));
    Note secret = note("The password is swordfish.");
    Window made = contexts.assemble(SPACE, AssembleRequest.of(task.id()).withDryRun()).window();
    assertThat(made.ledger()).anyMatch(line -> line.candidate().id().equals(secret.id()));
    memory.forget(SPACE, ForgetRecords.of(secret.id()));
    Handoff handoff =
        run(
            StartHandoff.of(ANNA, Recipient.ofAgent(CARA), task.id(), OUTLINE)
                .withSnapshot(made)
                .withWholeContext());
    assertThat(store.<Long>read(SPACE, snapshot -> snapshot.count(Query.over(Window.TABLE))))
        .isZero();
    run(new TransitionHandoff(CARA, handoff.id(), HandoffStatus.HandoffTransition.ACCEPT));
    assertThat(read(CARA).trajectory()).contains(task.id());
    assertThat(agents.briefing(SPACE, CARA, handoff.id()).context()).isEmpty();
  }

  @Test
  @DisplayName("AGT-15, ERR-07: a context that cannot be had fails the handoff, and is recorded")
  void contextsThatCannotBeAssembled() {
    AtomicBoolean allowed = new AtomicBoolean();
    MemoryDependencies parts =
        MemoryDependencies.minimal(
                clock, RuntimeConfig.starter(), TokenCounter.estimate(new TokenEstimator(4)))
            .withDeployedConfigs(
                _ -> {
                  if (allowed.get()) {
                    return Optional.empty();
                  }
                  throw MemoryException.unknownPolicy("audit");
                });
    Agents guarded =
        Agents.of(
            store,
            AgentsConfig.starter(),
            new AgentsDependencies(
                clock,
                RuntimeConfig.starter(),
                Memory.of(store, MemoryConfig.starter(), parts),
                MemoryConfig.starter(),
                ContextAssembler.of(store, MemoryConfig.starter(), parts, TokenCounters.none())));
    StartHandoff hand = StartHandoff.of(ANNA, Recipient.ofAgent(CARA), annasTask().id(), OUTLINE);
    refuses(AgentsErrorCode.HANDOFF_FAILED, () -> guarded.run(SPACE, hand));
    assertThat(traces("agent_command_rejected").getFirst().detail())
        .contains("StartHandoff HANDOFF_FAILED");
    allowed.set(true);
    assertThat(guarded.run(SPACE, hand).from()).isEqualTo(ANNA);
  }

  private static AssembleRequest lasting(Trajectory task) {
    return AssembleRequest.of(task.id())
        .withPersistence(new WindowPersistence.DurationPersistence(Duration.ofDays(1)));
  }

  @Test
  @DisplayName("AGT-03, AGT-15: a briefing is for one who may still read it, while it is theirs")
  void briefingsEnd() {
    Trajectory task = annasTask();
    AgentProfile reader =
        AgentProfile.of("reviewer").withSuperior(PLANNER).withAccess(MemoryAccess.all());
    run(RegisterAgent.of("cara", reader));
    Artifact named = artifact(task, "the log");
    Handoff made =
        run(
            StartHandoff.of(ANNA, Recipient.ofAgent(CARA), task.id(), OUTLINE)
                .withShared(SharedRecords.NOTHING.withArtifacts(named.id()))
                .withWholeContext());
    run(new TransitionHandoff(CARA, made.id(), HandoffStatus.HandoffTransition.ACCEPT));
    run(RegisterAgent.of("cara", reader.withAccess(MemoryAccess.NONE.withReadGrants("artifact"))));
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> agents.briefing(SPACE, CARA, made.id()));
    assertThat(traces("agent_command_rejected").getFirst().detail())
        .contains("briefing PERMISSION_DENIED");
    run(RegisterAgent.of("cara", reader));
    store.write(SPACE, transaction -> transaction.delete(Window.TABLE, made.snapshot()));
    Briefing left = agents.briefing(SPACE, CARA, made.id());
    assertThat(left.artifacts()).hasSize(1);
    assertThat(left.context()).as("its window was forgotten").isEmpty();
    run(
        StartHandoff.of(PLANNER, Recipient.ofAgent(BEN), task.id(), OUTLINE)
            .withSuperseded(made.id()));
    refuses(AgentsErrorCode.HANDOFF_FAILED, () -> agents.briefing(SPACE, CARA, made.id()));
    Delegation work = delegate(Recipient.ofAgent(ANNA));
    accept(ANNA, work);
    move(ANNA, work, DelegationStatus.DelegationTransition.FAIL);
    refuses(AgentsErrorCode.DELEGATION_FAILED, () -> agents.briefing(SPACE, ANNA, work.id()));
  }

  @Test
  @DisplayName("AGT-15: the whole context crosses only to one who may read all of it")
  void wholeContext() {
    Trajectory task = annasTask();
    StartHandoff whole =
        StartHandoff.of(ANNA, Recipient.ofAgent(CARA), task.id(), OUTLINE).withWholeContext();
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> run(whole));
    run(
        RegisterAgent.of(
            "cara",
            AgentProfile.of("reviewer").withSuperior(PLANNER).withAccess(MemoryAccess.all())));
    Handoff made = run(whole);
    run(new TransitionHandoff(CARA, made.id(), HandoffStatus.HandoffTransition.ACCEPT));
    assertThat(agents.briefing(SPACE, CARA, made.id()).context().orElseThrow())
        .contains("Please mend the build.");
  }

  @Test
  @DisplayName("AGT-14: under NEED_TO_KNOW a handoff carries the named records and no context")
  void handoffNeedToKnow() {
    Trajectory task = annasTask();
    run(
        RegisterAgent.of(
            "cara",
            AgentProfile.of("reviewer").withAccess(MemoryAccess.NONE.withReadGrants("artifact"))));
    Artifact named = artifact(task, "the log");
    artifact(task, "the other log");
    Handoff made =
        run(
            StartHandoff.of(ANNA, Recipient.ofAgent(CARA), task.id(), OUTLINE)
                .withShared(SharedRecords.NOTHING.withArtifacts(named.id())));
    run(new TransitionHandoff(CARA, made.id(), HandoffStatus.HandoffTransition.ACCEPT));
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
        () -> run(StartHandoff.of(BEN, Recipient.ofAgent(CARA), task.id(), OUTLINE)));
    refuses(
        AgentsErrorCode.HANDOFF_FAILED,
        () ->
            store.write(
                SPACE,
                transaction ->
                    agents.run(
                        transaction,
                        StartHandoff.of(ANNA, Recipient.ofAgent(CARA), task.id(), OUTLINE))));
    Handoff made = run(StartHandoff.of(ANNA, Recipient.ofAgent(CARA), task.id(), OUTLINE));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> run(new TransitionHandoff(BEN, made.id(), HandoffStatus.HandoffTransition.ACCEPT)));
    run(new TransitionHandoff(CARA, made.id(), HandoffStatus.HandoffTransition.REJECT));
    refuses(
        AgentsErrorCode.HANDOFF_FAILED,
        () -> run(new TransitionHandoff(CARA, made.id(), HandoffStatus.HandoffTransition.ACCEPT)));
    assertThat(read(ANNA).trajectory()).contains(task.id());
  }

  @Test
  void whatIsForgottenIsForgottenHereAsWell() {
    Trajectory task = annasTask();
    Note shared = note("It is green.");
    Delegation kept =
        run(
            CreateDelegation.of(
                PLANNER,
                Recipient.ofAgent(ANNA),
                DelegatedTask.of("Look", task().id())
                    .withShared(SharedRecords.notes(shared.id()))));
    accept(ANNA, kept);
    Delegation gone =
        run(
            CreateDelegation.of(
                PLANNER, Recipient.ofAgent(ANNA), DelegatedTask.of("Quote her", task.id())));
    run(new AssignTask(ANNA, task.id()));
    Handoff handoff = run(StartHandoff.of(ANNA, Recipient.ofAgent(CARA), task.id(), OUTLINE));
    Message message =
        run(
            SendMessage.of(
                PLANNER,
                Recipient.ofAgent(ANNA),
                MessageContent.of("quote", "{}").withTrajectory(task.id())));
    memory.forget(SPACE, ForgetRecords.of(task.id()));
    refuses(AgentsErrorCode.UNKNOWN_RECORD, () -> read(gone));
    refuses(AgentsErrorCode.UNKNOWN_RECORD, () -> read(handoff));
    refuses(AgentsErrorCode.UNKNOWN_RECORD, () -> read(message));
    assertThat(read(ANNA).trajectory()).isEmpty();
    assertThat(agents.briefing(SPACE, ANNA, kept.id()).notes()).hasSize(1);
    memory.forget(SPACE, ForgetRecords.of(shared.id()));
    assertThat(agents.briefing(SPACE, ANNA, kept.id()).notes()).isEmpty();
  }

  @Test
  @DisplayName("J-49: a handoff that hangs is superseded by whom its receiver reports to")
  void superseded() {
    Trajectory task = annasTask();
    Handoff hung = run(StartHandoff.of(ANNA, Recipient.ofAgent(CARA), task.id(), OUTLINE));
    run(new TransitionHandoff(CARA, hung.id(), HandoffStatus.HandoffTransition.ACCEPT));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () ->
            run(
                StartHandoff.of(BEN, Recipient.ofAgent(BEN), task.id(), OUTLINE)
                    .withSuperseded(hung.id())));
    Handoff next =
        run(
            StartHandoff.of(PLANNER, Recipient.ofAgent(BEN), task.id(), OUTLINE)
                .withSuperseded(hung.id()));
    assertThat(read(hung).supersededBy()).contains(next.id());
    assertThat(read(hung).status()).isEqualTo(HandoffStatus.ACCEPTED);
    refuses(
        AgentsErrorCode.HANDOFF_FAILED,
        () ->
            run(new TransitionHandoff(CARA, hung.id(), HandoffStatus.HandoffTransition.COMPLETE)));
    run(new TransitionHandoff(BEN, next.id(), HandoffStatus.HandoffTransition.ACCEPT));
    assertThat(read(CARA).trajectory()).isEmpty();
    assertThat(read(BEN).trajectory()).contains(task.id());
  }
}
