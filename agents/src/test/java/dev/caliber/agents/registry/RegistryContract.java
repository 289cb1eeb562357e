package dev.caliber.agents.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.AgentsDependencies;
import dev.caliber.agents.AgentsView;
import dev.caliber.agents.CoordinationStatus;
import dev.caliber.agents.DueWorkResult;
import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.AssignTask;
import dev.caliber.agents.command.CreateDelegation;
import dev.caliber.agents.command.ReceiveMessages;
import dev.caliber.agents.command.RecordHeartbeats;
import dev.caliber.agents.command.RegisterAgent;
import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.command.SendMessage;
import dev.caliber.agents.command.StartHandoff;
import dev.caliber.agents.command.TransitionAgent;
import dev.caliber.agents.command.TransitionDelegation;
import dev.caliber.agents.command.TransitionHandoff;
import dev.caliber.agents.command.UnregisterAgent;
import dev.caliber.agents.delegation.DelegatedTask;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.DelegationStatus;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.delegation.HandoffOutline;
import dev.caliber.agents.delegation.HandoffStatus;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageContent;
import dev.caliber.agents.mail.MessageState;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Registration of agents. */
@EachEngine
class RegistryContract extends AgentsFixture {

  @Test
  @DisplayName("AGT-01, STO-10: a new agent rests, with its profile and both times")
  void registers() {
    Agent cara = read(CARA);
    assertThat(cara.status()).isEqualTo(AgentStatus.IDLE);
    assertThat(cara.profile())
        .isEqualTo(AgentProfile.of("reviewer").withSuperior(PLANNER).withCapabilities("review"));
    assertThat(cara.createdAt()).isEqualTo(clock.instant());
    assertThat(found(view -> view.lastHeartbeat(CARA))).contains(clock.instant());
    assertThat(cara.trajectory()).isEmpty();
  }

  @Test
  @DisplayName("AGT-02, STO-10: agents are listed by type, status and superior, and updated")
  void listsAndUpdates() {
    run(new TransitionAgent(ANNA, AgentStatus.AgentTransition.ACTIVATE));
    assertThat(listed(view -> view.agentsOfType("coder")))
        .extracting(Agent::id)
        .containsExactly(ANNA, BEN);
    assertThat(listed(view -> view.agents(AgentStatus.ACTIVE)))
        .extracting(Agent::id)
        .containsExactly(ANNA);
    assertThat(listed(view -> view.agentsReportingTo(PLANNER))).hasSize(3);
    run(RegisterAgent.of("anna", AgentProfile.of("reviewer")));
    assertThat(read(ANNA).type()).isEqualTo("reviewer");
    assertThat(read(ANNA).status()).isEqualTo(AgentStatus.ACTIVE);
    assertThat(listed(AgentsView::agents)).hasSize(4);
  }

  @Test
  @DisplayName("AGT-02: an unknown agent does not block the heartbeats of others")
  void oneUnknownAmongMany() {
    passAlive(Duration.ofSeconds(20), PLANNER, BEN, CARA);
    RecordHeartbeats.RecordHeartbeatsResult recordHeartbeatsResult =
        run(RecordHeartbeats.of(ANNA, NOBODY));
    assertThat(recordHeartbeatsResult.unknown()).containsExactly(NOBODY);
    assertThat(found(view -> view.lastHeartbeat(ANNA))).contains(clock.instant());
    passAlive(Duration.ofSeconds(20), PLANNER, BEN, CARA);
    assertThat(read(ANNA).status()).isEqualTo(AgentStatus.IDLE);
  }

  @Test
  @DisplayName("AGT-02: a clock that is behind takes no sign of life back")
  void laterSignsOfLifeStay() {
    Instant now = clock.instant();
    clock.set(now.minusSeconds(29));
    run(RecordHeartbeats.of(ANNA));
    clock.set(now);
    assertThat(found(view -> view.lastHeartbeat(ANNA))).contains(now);
  }

  @Test
  @DisplayName("AGT-02, STM-07: one that failed and rests again by a move is watched again")
  void restingAgainIsWatched() {
    run(new TransitionAgent(ANNA, AgentStatus.AgentTransition.FAIL));
    pass(Duration.ofSeconds(40));
    run(new TransitionAgent(ANNA, AgentStatus.AgentTransition.REST));
    assertThat(read(ANNA).status()).isEqualTo(AgentStatus.IDLE);
    pass(Duration.ofSeconds(32));
    assertThat(read(ANNA).status()).isEqualTo(AgentStatus.FAILED);
  }

  @Test
  @DisplayName("AGT-01: one who registers again under the same superior has its place in the line")
  void fullLines() {
    int longest = AgentsConfig.starter().hierarchy().maxDepth();
    run(RegisterAgent.of("boss-0", AgentProfile.of("lead")));
    for (int i = 1; i <= longest; i++) {
      run(
          RegisterAgent.of(
              "boss-" + i, AgentProfile.of("lead").withSuperior(new AgentId("boss-" + (i - 1)))));
    }
    AgentProfile last = AgentProfile.of("lead").withSuperior(new AgentId("boss-" + (longest - 1)));
    run(RegisterAgent.of("boss-0", AgentProfile.of("lead").withSuperior(PLANNER)));
    assertThat(run(RegisterAgent.of("boss-" + longest, last)).profile()).isEqualTo(last);
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () ->
            run(
                RegisterAgent.of(
                    "dora",
                    AgentProfile.of("coder").withSuperior(new AgentId("boss-" + longest)))));
  }

  @Test
  @DisplayName("AGT-02: a list that would be too long is refused, and how things stand says it")
  void longLists() {
    Agents few =
        Agents.of(
            store,
            config(AgentsConfig.starter())
                .with("agents.maintenance.page-size = 2", "agents.maintenance.list-limit = 3"),
            new AgentsDependencies(
                clock, RuntimeConfig.starter(), memory, MemoryConfig.starter(), contexts));
    assertThat(refuses(KernelErrorCode.LIMIT_EXCEEDED, () -> few.view(SPACE, AgentsView::agents)))
        .hasMessageContaining("agents.maintenance.list-limit");
    assertThat(few.<List<Agent>>view(SPACE, view -> view.agentsOfType("coder"))).hasSize(2);
    assertThat(few.view(SPACE, view -> view.coordinationStatus(clock.instant())).cut()).isEmpty();
    Stream.of(PLANNER, ANNA, BEN, CARA)
        .forEach(agent -> run(new TransitionAgent(agent, AgentStatus.AgentTransition.FAIL)));
    CoordinationStatus coordinationStatus =
        few.view(SPACE, view -> view.coordinationStatus(clock.instant()));
    assertThat(coordinationStatus.cut()).containsExactly("agent");
    assertThat(coordinationStatus.stuck()).hasSize(3);
  }

  @Test
  @DisplayName("AGT-05: pages as small as a store may have them are enough for everything")
  void smallPages() {
    closeStores();
    RecordStore small =
        open(
            config -> config.with("store.reads.page-limit = 2"), tables().toArray(Table<?>[]::new));
    Agents here =
        Agents.of(
            small,
            config(AgentsConfig.starter())
                .with("agents.maintenance.page-size = 2", "agents.maintenance.list-limit = 100"),
            new AgentsDependencies(
                clock, RuntimeConfig.starter(), memory, MemoryConfig.starter(), contexts));
    List.of(PLANNER, ANNA, BEN, CARA)
        .forEach(
            agent -> {
              here.run(SPACE, new RegisterAgent(agent, AgentProfile.of("coder")));
              Lease lease =
                  here.run(SPACE, AcquireLease.shared(agent, FILE)).grantedLease().orElseThrow();
              here.writeFenced(SPACE, agent, lease.fence(), transaction -> transaction.newId());
            });
    assertThat(here.<List<Lease>>view(SPACE, view -> view.leases(FILE))).hasSize(4);
    clock.advance(Duration.ofHours(1));
    assertThat(here.runMaintenance(SPACE)).isEqualTo(new DueWorkResult(4, 4, 0, 0, 0));
  }

  private UnregisterAgent leaving(AgentId agent, boolean giveBack) {
    return new UnregisterAgent(agent, giveBack, "an operator");
  }

  @Test
  @DisplayName("AGT-02: an agent that has nothing is unregistered, with a trace, and may come back")
  void unregisters() {
    assertThat(run(leaving(CARA, false)).complete()).isTrue();
    refuses(AgentsErrorCode.NOT_REGISTERED, () -> read(CARA));
    refuses(AgentsErrorCode.NOT_REGISTERED, () -> run(RecordHeartbeats.of(CARA)));
    assertThat(traces("agent_unregistered").getFirst().detail())
        .contains("reviewer by an operator");
    pass(Duration.ofMinutes(1));
    assertThat(traces("agent_failed"))
        .extracting(event -> event.record().id())
        .doesNotContain("cara");
    run(RegisterAgent.of("cara", AgentProfile.of("reviewer")));
    assertThat(read(CARA).status()).isEqualTo(AgentStatus.IDLE);
  }

  @Test
  @DisplayName("AGT-02: whom others report to is not unregistered")
  void superiorsStay() {
    assertThat(refuses(AgentsErrorCode.AGENT_BUSY, () -> run(leaving(PLANNER, true))).message())
        .isEqualTo("Agent 'planner' cannot be unregistered: it still has the subordinate 'anna'");
  }

  @Test
  @DisplayName(
      "AGT-02: an agent that has something is refused, and gives all of it back if told to")
  void givesBack() {
    Lease lease = hold(ANNA, FILE);
    hold(BEN, OTHER_FILE);
    run(AcquireLease.shared(ANNA, OTHER_FILE).withQueueing());
    Message mail =
        run(SendMessage.of(BEN, Recipient.ofAgent(ANNA), MessageContent.of("hint", "{}")));
    Message taken =
        run(SendMessage.of(BEN, Recipient.ofType("coder"), MessageContent.of("hint", "{}")));
    run(new ReceiveMessages(ANNA, 2));
    Id task = memory.run(SPACE, StartTrajectory.of("Mend", EntityRef.agent("planner"))).id();
    Delegation offered =
        run(CreateDelegation.of(PLANNER, Recipient.ofAgent(ANNA), DelegatedTask.of("Do it", task)));
    List<Delegation> work =
        IntStream.range(0, 2)
            .mapToObj(
                i ->
                    run(
                        CreateDelegation.of(
                            PLANNER, Recipient.ofType("coder"), DelegatedTask.of("Do it", task))))
            .map(
                made ->
                    run(
                        TransitionDelegation.of(
                            ANNA, made.id(), DelegationStatus.DelegationTransition.ACCEPT)))
            .toList();
    assertThat(refuses(AgentsErrorCode.AGENT_BUSY, () -> run(leaving(ANNA, false))).fields())
        .containsEntry("agent", "anna")
        .containsEntry("reason", "a lease");
    int calls = 1;
    while (!run(leaving(ANNA, true)).complete()) {
      calls++;
    }
    assertThat(calls).as("open work ends alone in its commit").isEqualTo(3);
    assertThat(found(view -> view.lease(lease.id()))).isEmpty();
    assertThat(listed(view -> view.leaseQueue(OTHER_FILE))).isEmpty();
    assertThat(read(mail).state()).isEqualTo(MessageState.EXPIRED);
    assertThat(agents.<Delegation>view(SPACE, view -> view.delegation(offered.id())).status())
        .isEqualTo(DelegationStatus.REJECTED);
    assertThat(work)
        .allSatisfy(
            one ->
                assertThat(
                        agents.<Delegation>view(SPACE, view -> view.delegation(one.id())).status())
                    .isEqualTo(DelegationStatus.FAILED));
    refuses(AgentsErrorCode.NOT_REGISTERED, () -> read(ANNA));
    hold(BEN, FILE);
    passAlive(Duration.ofMinutes(1).plusSeconds(2), BEN, PLANNER);
    assertThat(read(taken).state()).as("it comes back by itself").isEqualTo(MessageState.PENDING);
  }

  @Test
  @DisplayName("AGT-02: handed tasks of an agent that goes are rejected or completed")
  void givesTasksBack() {
    Id task = memory.run(SPACE, StartTrajectory.of("Mend", EntityRef.agent("anna"))).id();
    run(new AssignTask(ANNA, task));
    Handoff first =
        run(
            StartHandoff.of(
                ANNA, Recipient.ofAgent(CARA), task, HandoffOutline.of("notes", "reason")));
    refuses(AgentsErrorCode.AGENT_BUSY, () -> run(leaving(CARA, false)));
    run(new TransitionHandoff(CARA, first.id(), HandoffStatus.HandoffTransition.ACCEPT));
    refuses(AgentsErrorCode.AGENT_BUSY, () -> run(leaving(CARA, false)));
    assertThat(run(leaving(CARA, true)).complete()).isTrue();
    assertThat(agents.<Handoff>view(SPACE, view -> view.handoff(first.id())).status())
        .isEqualTo(HandoffStatus.COMPLETED);
    assertThat(listed(view -> view.agentsAtTask(task))).isEmpty();
  }

  @Test
  @DisplayName("AGT-01: no agent reports to itself, over however many others")
  void noCircles() {
    refuses(
        AgentsErrorCode.CIRCULAR_REPORTING,
        () -> run(RegisterAgent.of("planner", AgentProfile.of("lead").withSuperior(ANNA))));
    assertThat(
            refuses(
                AgentsErrorCode.CIRCULAR_REPORTING,
                () -> run(RegisterAgent.of("anna", AgentProfile.of("coder").withSuperior(ANNA)))))
        .hasMessageContaining("anna, anna");
  }

  @Test
  @DisplayName("AGT-02, STM-07, STM-08: silence fails an agent, and a sign of life lets it rest")
  void failureDetection() {
    run(new TransitionAgent(ANNA, AgentStatus.AgentTransition.ACTIVATE));
    passAlive(Duration.ofSeconds(20), ANNA, BEN, CARA);
    passAlive(Duration.ofSeconds(20), BEN, CARA);
    assertThat(read(ANNA).status()).isEqualTo(AgentStatus.ACTIVE);
    assertThat(read(PLANNER).status()).isEqualTo(AgentStatus.FAILED);
    passAlive(Duration.ofSeconds(12), BEN, CARA);
    assertThat(read(ANNA).status()).isEqualTo(AgentStatus.FAILED);
    assertThat(read(BEN).status()).isEqualTo(AgentStatus.IDLE);
    assertThat(found(view -> view.lastHeartbeat(ANNA)))
        .as("when it was last heard of")
        .contains(clock.instant().minusSeconds(32));
    refuses(AgentsErrorCode.AGENT_FAILED, () -> hold(ANNA, FILE));
    refuses(
        AgentsErrorCode.AGENT_FAILED,
        () -> permission(ANNA, RequiredPermissions.forWriting(MemoryKind.NOTE)));
    assertThat(run(RecordHeartbeats.of(ANNA, BEN)).revived()).containsExactly(ANNA);
    assertThat(read(ANNA).status()).isEqualTo(AgentStatus.IDLE);
    assertThat(traces("agent_failed")).hasSize(2);
  }

  @Test
  @DisplayName("STM-07: a move that is not in the table is refused")
  void refusedMove() {
    refuses(
        KernelErrorCode.INVALID_STATE_TRANSITION,
        () -> run(new TransitionAgent(ANNA, AgentStatus.AgentTransition.BLOCK)));
    run(new TransitionAgent(ANNA, AgentStatus.AgentTransition.FAIL));
    refuses(
        KernelErrorCode.INVALID_STATE_TRANSITION,
        () -> run(new TransitionAgent(ANNA, AgentStatus.AgentTransition.ACTIVATE)));
  }

  @Test
  void heartbeatsAreQuiet() {
    long before = store.changes().head(SPACE).sequence();
    run(RecordHeartbeats.of(ANNA, BEN, CARA));
    assertThat(store.changes().read(SPACE, store.changes().oldestCursor(SPACE), 100))
        .filteredOn(commit -> commit.sequence() > before)
        .isNotEmpty()
        .allSatisfy(commit -> assertThat(commit.changes()).isEmpty());
  }

  @Test
  @DisplayName("AGT-03, J-46: what was not granted is denied, by kind of record and direction")
  void memoryAccess() {
    run(
        RegisterAgent.of(
            "ben",
            AgentProfile.of("coder")
                .withAccess(MemoryAccess.NONE.withReadGrants("note", "turn", "artifact"))));
    permission(BEN, RequiredPermissions.forReading(MemoryKind.NOTE, MemoryKind.TURN));
    for (RequiredPermissions denied :
        List.of(
            RequiredPermissions.forWriting(MemoryKind.NOTE),
            RequiredPermissions.forChanging(MemoryKind.NOTE),
            RequiredPermissions.forReading(MemoryKind.values()),
            RequiredPermissions.forOperator("RegisterAgent"))) {
      refuses(AgentsErrorCode.PERMISSION_DENIED, () -> permission(BEN, denied));
    }
    permission(ANNA, RequiredPermissions.EVERYTHING);
    refuses(AgentsErrorCode.NOT_REGISTERED, () -> permission(NOBODY, RequiredPermissions.NOTHING));
  }

  @Test
  @DisplayName("AGT-03: to recall notes needs the grant for notes, and no other")
  void recallOfAKind() {
    run(
        RegisterAgent.of(
            "ben", AgentProfile.of("coder").withAccess(MemoryAccess.NONE.withReadGrants("note"))));
    RecallFilter any = RecallFilter.any();
    for (RecallFilter granted :
        List.of(
            any.withTypes(EntityType.NOTE),
            any.withNoteTypes(NoteType.FACT),
            any.withEntity("build"))) {
      permission(BEN, RequiredPermissions.forRecall(granted));
    }
    for (RecallFilter denied :
        List.of(
            any, any.withTypes(EntityType.TURN), any.withTypes(EntityType.NOTE, EntityType.TURN))) {
      refuses(
          AgentsErrorCode.PERMISSION_DENIED,
          () -> permission(BEN, RequiredPermissions.forRecall(denied)));
    }
  }

  @Test
  @DisplayName("AGT-03: inside a commit the same grants hold")
  void accessInsideACommit() {
    RequiredPermissions writing = RequiredPermissions.forWriting(MemoryKind.NOTE);
    ActingAgent anna = new ActingAgent(SPACE, ANNA);
    ActingAgent ben = new ActingAgent(SPACE, BEN);
    store.write(
        SPACE,
        transaction -> {
          agents.requirePermissions(transaction, anna, writing);
          assertThat(agents.hasPermissions(transaction, anna, writing)).isTrue();
          assertThat(agents.hasPermissions(transaction, ben, writing)).isFalse();
          return true;
        });
    for (ActingAgent denied : List.of(ben, new ActingAgent(OTHER, ANNA))) {
      refuses(
          AgentsErrorCode.PERMISSION_DENIED,
          () ->
              store.write(
                  SPACE,
                  transaction -> {
                    agents.requirePermissions(transaction, denied, writing);
                    return true;
                  }));
    }
  }

  @Test
  @DisplayName("AGT-03: a grant for a space is one for that space")
  void accessBySpace() {
    store.createSpace(OTHER);
    run(
        RegisterAgent.of(
            "ben",
            AgentProfile.of("coder")
                .withAccess(MemoryAccess.NONE.withWriteGrants("trajectory@other"))));
    RequiredPermissions starting = RequiredPermissions.forWriting(MemoryKind.TRAJECTORY);
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> permission(BEN, starting));
    agents.requirePermissions(OTHER, new ActingAgent(SPACE, BEN), starting);
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> agents.requirePermissions(OTHER, new ActingAgent(SPACE, ANNA), starting));
  }

  @Test
  @DisplayName("J-46: a grant of a kind that is not there is no grant")
  void wrongGrants() {
    refuses(KernelErrorCode.INVALID_VALUE, () -> MemoryAccess.NONE.withReadGrants("secrets"));
    refuses(KernelErrorCode.INVALID_VALUE, () -> MemoryAccess.NONE.withReadGrants("note@No Space"));
    refuses(KernelErrorCode.INVALID_VALUE, () -> new AgentId("two words"));
  }

  @Test
  @DisplayName("ERR-07: a refusal leaves a trace that names who was refused, what and why")
  void refusalsAreRecorded() {
    refuses(AgentsErrorCode.NOT_REGISTERED, () -> run(RecordHeartbeats.of(NOBODY)));
    assertThat(traces("agent_command_rejected"))
        .singleElement()
        .extracting(TraceEvent::record, event -> event.detail().orElseThrow())
        .containsExactly(EntityRef.agent("stranger"), "RecordHeartbeats NOT_REGISTERED");
  }
}
