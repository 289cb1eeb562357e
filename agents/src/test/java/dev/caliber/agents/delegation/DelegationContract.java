package dev.caliber.agents.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.agents.Agents;
import dev.caliber.agents.command.AssignTask;
import dev.caliber.agents.command.CreateDelegation;
import dev.caliber.agents.command.RecordHeartbeats;
import dev.caliber.agents.command.RegisterAgent;
import dev.caliber.agents.command.SendMessage;
import dev.caliber.agents.command.StartHandoff;
import dev.caliber.agents.command.TransitionDelegation;
import dev.caliber.agents.command.TransitionHandoff;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageContent;
import dev.caliber.agents.mail.MessageState;
import dev.caliber.agents.registry.AgentProfile;
import dev.caliber.agents.registry.AgentStatus;
import dev.caliber.agents.registry.AgentsErrorCode;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.agents.registry.ResultPage;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.Query;
import dev.caliber.store.job.Jobs;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Delegated work of agents. */
@EachEngine
class DelegationContract extends WorkFixture {

  @Test
  @DisplayName("AGT-11, STO-13: a delegation keeps who, what, for whom, with what and until when")
  void delegates() {
    Trajectory task = task();
    DelegatedTask work =
        new DelegatedTask(
            "Write the test",
            task.id(),
            SharedRecords.notes(note("It is green.").id())
                .withArtifacts(artifact(task, "the log").id()),
            Optional.of("Only the fast ones."),
            List.of("no network"));
    Delegation made =
        run(
            CreateDelegation.of(PLANNER, Recipient.ofAgent(ANNA), work)
                .withDeadline(Duration.ofMinutes(5)));
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
    Delegation made = delegate(Recipient.ofType("coder"));
    Delegation accepted = accept(ANNA, made);
    Id child = accepted.childTrajectory().orElseThrow();
    assertThat(accepted.delegatee()).contains(ANNA);
    assertThat(accepted.acceptedAt()).contains(clock.instant());
    assertThat(memory.view(SPACE, view -> view.trajectory(child)).parent())
        .contains(made.task().trajectory());
    assertThat(read(ANNA).trajectory()).contains(child);
    assertThat(read(ANNA).status()).isEqualTo(AgentStatus.ACTIVE);
    move(ANNA, made, DelegationStatus.DelegationTransition.BEGIN);
    run(
        TransitionDelegation.of(ANNA, made.id(), DelegationStatus.DelegationTransition.REPORT)
            .withWords("half"));
    assertThat(read(made).report()).contains("half");
    refuses(
        KernelErrorCode.INVALID_VALUE,
        () -> run(TransitionDelegation.complete(ANNA, made.id(), "no json")));
    Delegation done = run(TransitionDelegation.complete(ANNA, made.id(), "{\"tests\":3}"));
    assertThat(done.result()).contains("{\"tests\":3}");
    assertThat(done.completedAt()).contains(clock.instant());
    assertThat(memory.view(SPACE, view -> view.trajectory(child)).status())
        .isEqualTo(TrajectoryStatus.COMPLETED);
    assertThat(read(ANNA).trajectory()).isEmpty();
    refuses(
        KernelErrorCode.INVALID_STATE_TRANSITION,
        () -> move(ANNA, made, DelegationStatus.DelegationTransition.FAIL));
  }

  @Test
  @DisplayName("delegated work belongs to the subject of its task, and is forgotten with it")
  void delegatedWorkIsForgottenWithItsSubject() {
    Trajectory task =
        memory.run(
            SPACE,
            StartTrajectory.of("Chat", EntityRef.agent("planner"))
                .withLabels(Labels.ofSubject("alice")));
    DelegatedTask work =
        new DelegatedTask(
            "Write about a zebra", task.id(), SharedRecords.NOTHING, Optional.empty(), List.of());
    Delegation made = run(CreateDelegation.of(PLANNER, Recipient.ofAgent(ANNA), work));
    Id child = accept(ANNA, made).childTrajectory().orElseThrow();
    assertThat(memory.view(SPACE, view -> view.trajectory(child)).labels().subject())
        .contains("alice");
    memory.forget(SPACE, ForgetRecords.matching(RecallFilter.ofSubject("alice")));
    assertThat(everything().values()).noneMatch(text -> text.contains("zebra"));
  }

  @Test
  @DisplayName(
      "a subject takes its child tasks, forks, delegated tasks and handoffs with their words")
  void whatBelongsToASubjectIsForgottenWithIt() {
    EntityRef planner = EntityRef.agent("planner");
    Trajectory task =
        memory.run(
            SPACE,
            StartTrajectory.of("Chat of the zebra", planner).withLabels(Labels.ofSubject("alice")));
    artifact(task, "A zebra has stripes.");
    Checkpoint point = memory.run(SPACE, SaveCheckpoint.of(task.id()));
    Trajectory child =
        memory.run(SPACE, StartTrajectory.of("A zebra's foal", planner).withParent(task.id()));
    artifact(child, "The foal of the zebra");
    Trajectory fork =
        memory.run(
            SPACE, new ForkTrajectory(point.id(), StartTrajectory.of("A zebra again", planner)));
    artifact(fork, "Another zebra");
    Delegation made =
        run(
            CreateDelegation.of(
                PLANNER, Recipient.ofAgent(ANNA), DelegatedTask.of("Paint the zebra", child.id())));
    accept(ANNA, made);
    run(
        StartHandoff.of(
            ANNA,
            Recipient.ofAgent(BEN),
            read(made).childTrajectory().orElseThrow(),
            new HandoffOutline(
                "The zebra is half painted.", List.of(), List.of(), List.of(), "rest")));
    memory.forget(SPACE, ForgetRecords.matching(RecallFilter.ofSubject("alice")));
    assertThat(everything().values()).noneMatch(text -> text.contains("zebra"));
    assertThat(memory.<Boolean>view(SPACE, view -> view.tombstone(fork.id()).isPresent())).isTrue();
  }

  @Test
  @DisplayName("AGT-12, ERR-07: work goes only to types that the agent may delegate to")
  void refusedDelegations() {
    DelegatedTask work = DelegatedTask.of("Do it", task().id());
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> run(CreateDelegation.of(PLANNER, Recipient.ofAgent(CARA), work)));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> run(CreateDelegation.of(PLANNER, Recipient.ofType("reviewer"), work)));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> run(CreateDelegation.of(ANNA, Recipient.ofAgent(BEN), work)));
    refuses(
        AgentsErrorCode.NOT_REGISTERED,
        () -> run(CreateDelegation.of(PLANNER, Recipient.ofAgent(NOBODY), work)));
    refuses(
        MemoryErrorCode.UNKNOWN_RECORD,
        () ->
            run(
                CreateDelegation.of(
                    PLANNER, Recipient.ofAgent(ANNA), DelegatedTask.of("Do it", unknown()))));
    run(RegisterAgent.of("planner", AgentProfile.of("lead").withDelegateTypes("painter", "lead")));
    refuses(
        AgentsErrorCode.DELEGATION_FAILED,
        () -> run(CreateDelegation.of(PLANNER, Recipient.ofType("painter"), work)));
    refuses(
        AgentsErrorCode.DELEGATION_FAILED,
        () -> run(CreateDelegation.of(PLANNER, Recipient.ofAgent(PLANNER), work)));
  }

  @Test
  @DisplayName("AGT-13, J-49: unanswered work is rejected, late work fails, and says timeout")
  void deadlines() {
    Delegation unanswered = delegate(Recipient.ofAgent(ANNA));
    Delegation late =
        run(
            CreateDelegation.of(
                    PLANNER, Recipient.ofAgent(ANNA), DelegatedTask.of("Quickly", task().id()))
                .withDeadline(Duration.ofMinutes(2)));
    Delegation shortly =
        run(
            CreateDelegation.of(
                    PLANNER, Recipient.ofAgent(BEN), DelegatedTask.of("Now", task().id()))
                .withDeadline(Duration.ofMinutes(2)));
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
  @DisplayName("AGT-13: overdue work is over, whether or not the job has run")
  void lateWorkIsOver() {
    CreateDelegation quickly =
        CreateDelegation.of(
                PLANNER, Recipient.ofAgent(ANNA), DelegatedTask.of("Quickly", task().id()))
            .withDeadline(Duration.ofMinutes(2));
    Delegation unanswered = run(quickly);
    Delegation begun = run(quickly);
    accept(ANNA, begun);
    move(ANNA, begun, DelegationStatus.DelegationTransition.BEGIN);
    Delegation accepted = run(quickly);
    accept(ANNA, accepted);
    clock.advance(Duration.ofMinutes(2));
    run(RecordHeartbeats.of(ANNA));
    assertThat(refuses(AgentsErrorCode.DELEGATION_FAILED, () -> accept(ANNA, unanswered)))
        .hasMessageContaining("timeout");
    refuses(
        AgentsErrorCode.DELEGATION_FAILED,
        () -> run(TransitionDelegation.complete(ANNA, begun.id(), "{}")));
    refuses(
        AgentsErrorCode.DELEGATION_FAILED,
        () -> move(ANNA, accepted, DelegationStatus.DelegationTransition.BEGIN));
    assertThat(agents.runMaintenance(SPACE).delegations()).isEqualTo(3);
    assertThat(read(unanswered).status()).isEqualTo(DelegationStatus.REJECTED);
    assertThat(read(begun).status()).isEqualTo(DelegationStatus.FAILED);
    refuses(KernelErrorCode.INVALID_VALUE, () -> quickly.withDeadline(Duration.ofSeconds(-1)));
  }

  @Test
  void onlyThoseConcernedMoveIt() {
    Delegation made = delegate(Recipient.ofAgent(ANNA));
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> accept(BEN, made));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> move(BEN, made, DelegationStatus.DelegationTransition.REJECT));
    accept(ANNA, made);
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> move(PLANNER, made, DelegationStatus.DelegationTransition.BEGIN));
    assertThat(move(PLANNER, made, DelegationStatus.DelegationTransition.FAIL).status())
        .isEqualTo(DelegationStatus.FAILED);
    Delegation other = delegate(Recipient.ofAgent(ANNA));
    assertThat(move(ANNA, other, DelegationStatus.DelegationTransition.REJECT).status())
        .isEqualTo(DelegationStatus.REJECTED);
  }

  @Test
  @DisplayName("AGT-03, AGT-12: what crosses is what is named, if the receiver may read it")
  void needToKnow() {
    Trajectory task = task();
    Note shared = note("It is green.");
    note("The password is on the desk of the planner.");
    DelegatedTask work =
        DelegatedTask.of("Look", task.id()).withShared(SharedRecords.notes(shared.id()));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> run(CreateDelegation.of(PLANNER, Recipient.ofAgent(BEN), work)));
    Delegation made = run(CreateDelegation.of(PLANNER, Recipient.ofType("coder"), work));
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
  @DisplayName("STO-13: work that can be accepted comes part by part, each of it once")
  void pendingInParts() {
    List<Delegation> all = new ArrayList<>();
    for (Recipient to : List.of(Recipient.ofAgent(ANNA), Recipient.ofType("coder"))) {
      IntStream.range(0, 3).forEach(_ -> all.add(delegate(to)));
    }
    List<Delegation> found = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Optional<String> after = next;
      ResultPage<Delegation> resultPage =
          agents.view(SPACE, view -> view.pendingDelegations(Recipient.ofAgent(ANNA), after, 2));
      found.addAll(resultPage.records());
      next = resultPage.next();
      accept(ANNA, resultPage.records().getLast()); // a record claimed meanwhile leaves no gap
    } while (next.isPresent());
    assertThat(found).isEqualTo(all);
    refuses(
        KernelErrorCode.INVALID_VALUE,
        () ->
            agents.view(
                SPACE,
                view -> view.pendingHandoffs(Recipient.ofAgent(ANNA), Optional.of("no place"), 2)));
  }

  @Test
  @DisplayName("STO-13: what waits for a type is found by the type, without what is for one agent")
  void pendingByType() {
    Trajectory task = annasTask();
    delegate(Recipient.ofAgent(BEN));
    Delegation work = delegate(Recipient.ofType("coder"));
    Handoff passed = run(StartHandoff.of(ANNA, Recipient.ofType("coder"), task.id(), OUTLINE));
    assertThat(listed(view -> view.pendingDelegations("coder", 10))).containsExactly(work);
    assertThat(listed(view -> view.pendingHandoffs("coder", 10))).containsExactly(passed);
    assertThat(listed(view -> view.pendingDelegations("reviewer", 10))).isEmpty();
    assertThat(listed(view -> view.pendingHandoffs("reviewer", 10))).isEmpty();
    delegate(Recipient.ofType("coder"));
    assertThat(listed(view -> view.pendingDelegations("coder", 1))).containsExactly(work);
    accept(BEN, work);
    run(new TransitionHandoff(BEN, passed.id(), HandoffStatus.HandoffTransition.ACCEPT));
    assertThat(listed(view -> view.pendingDelegations("coder", 10))).doesNotContain(work);
    assertThat(listed(view -> view.pendingHandoffs("coder", 10))).isEmpty();
  }

  @Test
  @DisplayName("AGT-18: of two who accept the same work at once, exactly one wins")
  void oneAccepts() throws Exception {
    Delegation made = delegate(Recipient.ofType("coder"));
    race(List.of(ANNA, BEN), AgentsErrorCode.DELEGATION_FAILED, agent -> accept(agent, made));
    List<Trajectory> begun = new ArrayList<>();
    memory.<Boolean>view(
        SPACE,
        view -> {
          view.forEachChild(made.task().trajectory(), begun::add);
          return true;
        });
    assertThat(begun).hasSize(1);
  }

  @Test
  @DisplayName("AGT-11: no work is delegated for an ended task, and none of it is started")
  void endedTasksGetNoWork() {
    Trajectory task = task();
    memory.run(SPACE, EndTrajectory.complete(task.id(), "It is done."));
    assertThat(
            refuses(
                AgentsErrorCode.DELEGATION_FAILED,
                () ->
                    run(
                        CreateDelegation.of(
                            PLANNER, Recipient.ofAgent(ANNA), DelegatedTask.of("Do", task.id())))))
        .hasMessageContaining("completed");
    refuses(MemoryErrorCode.TRAJECTORY_ENDED, () -> run(new AssignTask(ANNA, task.id())));
    assertThat(read(ANNA).trajectory()).isEmpty();
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
                MemoryDependencies.minimal(
                        clock,
                        RuntimeConfig.starter(),
                        TokenCounter.estimate(new TokenEstimator(4)))
                    .withDeployedConfigs(
                        _ -> {
                          if (allowed.get()) {
                            return Optional.empty();
                          }
                          throw MemoryException.unknownPolicy("audit");
                        })));
    Jobs runner = Jobs.of(store, config().jobs(), clock);
    guarded.registerJobHandlers(runner);
    Delegation late =
        run(
            CreateDelegation.of(
                    PLANNER, Recipient.ofAgent(ANNA), DelegatedTask.of("Quickly", task().id()))
                .withDeadline(Duration.ofMinutes(2)));
    Id child = accept(ANNA, late).childTrajectory().orElseThrow();
    Message message =
        run(
            SendMessage.of(PLANNER, Recipient.ofAgent(BEN), MessageContent.of("hint", "{}"))
                .withLifetime(Duration.ofMinutes(2)));
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
    store.commit(
        SPACE,
        transaction -> {
          transaction
              .scan(Query.over(Jobs.TABLE), 100)
              .records()
              .forEach(job -> transaction.delete(Jobs.TABLE, job.id()));
        });
    pass(Duration.ofMinutes(2));
    assertThat(read(ANNA).status()).isEqualTo(AgentStatus.IDLE);
    agents.scheduleJobs(SPACE);
    pass(Duration.ofSeconds(2));
    assertThat(read(ANNA).status()).isEqualTo(AgentStatus.FAILED);
  }
}
