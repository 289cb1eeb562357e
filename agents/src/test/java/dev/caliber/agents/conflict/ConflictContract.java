package dev.caliber.agents.conflict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsCommandDispatcher;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.AgentsDependencies;
import dev.caliber.agents.AgentsUnitOfWork;
import dev.caliber.agents.AgentsView;
import dev.caliber.agents.ConflictDetector;
import dev.caliber.agents.CoordinationStatus;
import dev.caliber.agents.CoordinationStatus.LeaseWaiter;
import dev.caliber.agents.CoordinationStatus.StuckItem;
import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.AssignTask;
import dev.caliber.agents.command.CreateDelegation;
import dev.caliber.agents.command.DetectConflicts;
import dev.caliber.agents.command.ReceiveMessages;
import dev.caliber.agents.command.RecordHeartbeats;
import dev.caliber.agents.command.RegisterAgent;
import dev.caliber.agents.command.ReportConflict;
import dev.caliber.agents.command.SendMessage;
import dev.caliber.agents.command.StartHandoff;
import dev.caliber.agents.command.TransitionAgent;
import dev.caliber.agents.command.TransitionConflict;
import dev.caliber.agents.command.TransitionDelegation;
import dev.caliber.agents.command.TransitionHandoff;
import dev.caliber.agents.conflict.Conflict.ConflictSide;
import dev.caliber.agents.delegation.DelegatedTask;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.DelegationStatus;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.delegation.HandoffOutline;
import dev.caliber.agents.delegation.HandoffStatus;
import dev.caliber.agents.delegation.SharedRecords;
import dev.caliber.agents.lease.Fence;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.Resource;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageContent;
import dev.caliber.agents.mail.MessagePriority;
import dev.caliber.agents.mail.MessageState;
import dev.caliber.agents.registry.AgentProfile;
import dev.caliber.agents.registry.AgentStatus;
import dev.caliber.agents.registry.AgentsErrorCode;
import dev.caliber.agents.registry.AgentsFixture;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.pcp.IssueType;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.Query;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Conflicts and the coordination status. */
@EachEngine
class ConflictContract extends AgentsFixture {

  private static final HandoffOutline OUTLINE =
      HandoffOutline.of("Half of it is done.", "end of shift");

  private Conflict report() {
    return run(
        new ReportConflict(
            ANNA,
            ConflictType.GOAL_CONFLICT,
            ConflictSide.of(ANNA),
            ConflictSide.of(BEN),
            "who is first",
            Optional.empty()));
  }

  private List<Conflict> detect(Trajectory task) {
    return agents.detectConflicts(SPACE, new DetectConflicts(PLANNER, task.id())).conflicts();
  }

  @Test
  @DisplayName(
      "AGT-16, STO-14: a conflict keeps its type, both items and agents, and is there once")
  void reports() {
    Conflict conflict = report();
    assertThat(conflict.type()).isEqualTo(ConflictType.GOAL_CONFLICT);
    assertThat(conflict.first().agent()).contains(ANNA);
    assertThat(conflict.second().record()).isEqualTo(EntityRef.agent("ben"));
    assertThat(conflict.status()).isEqualTo(ConflictStatus.DETECTED);
    assertThat(conflict.detectedAt()).isEqualTo(clock.instant());
    assertThat(report()).isEqualTo(conflict);
    assertThat(agents.<Conflict>view(SPACE, view -> view.conflict(conflict.id())))
        .isEqualTo(conflict);
  }

  @Test
  @DisplayName("AGT-17, STO-14: unresolved ones are listed; a resolution says who, how and why")
  void resolves() {
    Conflict conflict = report();
    run(TransitionConflict.of(BEN, conflict.id(), ConflictStatus.ConflictTransition.BEGIN));
    assertThat(listed(AgentsView::unresolvedConflicts)).hasSize(1);
    refuses(
        KernelErrorCode.INVALID_VALUE,
        () ->
            run(
                TransitionConflict.of(
                    BEN, conflict.id(), ConflictStatus.ConflictTransition.RESOLVE)));
    ConflictOutcome conflictOutcome =
        new ConflictOutcome(
            BEN, ConflictOutcome.ConflictVerdict.FIRST_STANDS, "Anna was there first.");
    Conflict resolved = run(TransitionConflict.resolve(conflict.id(), conflictOutcome));
    assertThat(resolved.resolution()).contains(conflictOutcome);
    assertThat(resolved.resolvedAt()).contains(clock.instant());
    assertThat(listed(AgentsView::unresolvedConflicts)).isEmpty();
    assertThat(report().id()).isNotEqualTo(conflict.id());
  }

  @Test
  @DisplayName("AGT-17: an escalated conflict is told to the superior, before everything else")
  void escalates() {
    Conflict conflict = report();
    run(TransitionConflict.of(ANNA, conflict.id(), ConflictStatus.ConflictTransition.ESCALATE));
    assertThat(run(new ReceiveMessages(PLANNER, 1)))
        .singleElement()
        .satisfies(
            message -> {
              assertThat(message.priority()).isEqualTo(MessagePriority.CRITICAL);
              assertThat(message.letter().payload()).contains(conflict.id().toString());
            });
    assertThat(listed(AgentsView::unresolvedConflicts)).hasSize(1);
  }

  @Test
  @DisplayName("AGT-16: facts of a task that contradict each other are found")
  void contradictingFacts() {
    Trajectory task = task();
    for (String words : List.of("The build is green.", "The build is not green.")) {
      memory.run(SPACE, WriteNote.of("build", "thing", NoteType.FACT, words).withSource(task.id()));
    }
    assertThat(detect(task))
        .singleElement()
        .extracting(Conflict::type)
        .isEqualTo(ConflictType.CONTRADICTING_FACT);
    assertThat(detect(task)).hasSize(1);
    assertThat(listed(view -> view.unresolvedConflicts(task.id()))).hasSize(1);
    assertThat(listed(view -> view.unresolvedConflicts(unknown()))).isEmpty();
  }

  @Test
  @DisplayName("AGT-17: what was resolved is no conflict again, until one of the two changes")
  void resolvedStaysResolved() {
    Trajectory task = task();
    decide(task, "The server uses port 80.");
    decide(task, "The server does not use port 80.");
    under(task, "The cache is enabled.");
    under(task, "The cache is not enabled.");
    WriteNote green = WriteNote.of("build", "thing", NoteType.FACT, "The build is green.");
    memory.run(SPACE, green.withSource(task.id()));
    memory.run(
        SPACE,
        WriteNote.of("build", "thing", NoteType.FACT, "The build is not green.")
            .withSource(task.id()));
    List<Conflict> found = detect(task);
    assertThat(found)
        .extracting(Conflict::type)
        .containsExactlyInAnyOrder(
            ConflictType.CONTRADICTING_FACT,
            ConflictType.INCOMPATIBLE_DECISION,
            ConflictType.GOAL_CONFLICT);
    found.forEach(
        one ->
            run(
                TransitionConflict.resolve(
                    one.id(),
                    new ConflictOutcome(
                        PLANNER, ConflictOutcome.ConflictVerdict.BOTH_STAND, "of two builds"))));
    clock.advance(Duration.ofSeconds(1));
    assertThat(detect(task)).isEmpty();
    assertThat(listed(AgentsView::unresolvedConflicts)).isEmpty();
    Note changed = memory.run(SPACE, green.withSource(under(task, "Look again").id()));
    assertThat(changed.recordedAt()).isEqualTo(clock.instant());
    assertThat(detect(task))
        .singleElement()
        .extracting(Conflict::type)
        .isEqualTo(ConflictType.CONTRADICTING_FACT);
  }

  @Test
  @DisplayName("a conflict of no task is removed long after it was resolved, and no other is")
  void oldResolutionsGo() {
    Trajectory task = task();
    Conflict loose = resolved(Optional.empty(), "loose");
    Conflict kept = resolved(Optional.of(task.id()), "kept");
    Conflict open = reported(Optional.empty(), "open");
    clock.advance(AgentsConfig.starter().work().resolvedConflictRetention());
    clock.advance(Duration.ofSeconds(1));
    memory.runMaintenance(SPACE);
    assertThat(
            store.<List<Conflict>>read(
                SPACE, snapshot -> snapshot.scan(Query.over(Conflict.TABLE), 10).records()))
        .extracting(Conflict::id)
        .containsExactlyInAnyOrder(kept.id(), open.id())
        .doesNotContain(loose.id());
  }

  private Conflict reported(Optional<Id> trajectory, String about) {
    return run(
        new ReportConflict(
            ANNA,
            ConflictType.GOAL_CONFLICT,
            ConflictSide.of(ANNA),
            ConflictSide.of(BEN),
            about,
            trajectory));
  }

  private Conflict resolved(Optional<Id> trajectory, String about) {
    return run(
        TransitionConflict.resolve(
            reported(trajectory, about).id(),
            new ConflictOutcome(
                PLANNER, ConflictOutcome.ConflictVerdict.FIRST_STANDS, "it is older")));
  }

  @Test
  @DisplayName(
      "PCP-12, AGT-16: facts among the artifacts of a task are recorded as conflicts, once")
  void contradictingArtifacts() {
    Trajectory task = task();
    Artifact old = state(task, "The build is green.");
    Artifact other = state(task, "The build is not green.");
    assertThat(detect(task))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.type()).isEqualTo(ConflictType.CONTRADICTING_FACT);
              assertThat(found.first().record().id()).isEqualTo(old.id().toString());
              assertThat(found.second().record().id()).isEqualTo(other.id().toString());
              assertThat(found.trajectory()).contains(task.id());
            });
    assertThat(detect(task)).hasSize(1);
    assertThat(guardian.validate(SPACE, task.id()).issues())
        .filteredOn(issue -> issue.type() == IssueType.CONTRADICTION)
        .singleElement()
        .satisfies(
            issue ->
                assertThat(issue.records())
                    .extracting(EntityRef::id)
                    .containsExactly(old.id().toString(), other.id().toString()));
  }

  private Artifact state(Trajectory task, String words) {
    clock.advance(Duration.ofSeconds(1));
    Id scope = memory.view(SPACE, view -> view.currentScope(task.id())).orElseThrow().id();
    return memory
        .run(SPACE, CreateArtifacts.of(NewArtifact.of(scope, ArtifactType.FACT, Bytes.of(words))))
        .getFirst();
  }

  @Test
  @DisplayName("AGT-16: decisions and goals of the parts of a task that contradict are found")
  void decisionsAndGoals() {
    Trajectory task = task();
    Trajectory one =
        memory.run(
            SPACE,
            StartTrajectory.of("The cache is enabled.", EntityRef.agent("anna"))
                .withParent(task.id()));
    Trajectory other =
        memory.run(
            SPACE,
            StartTrajectory.of("The cache is disabled.", EntityRef.agent("ben"))
                .withParent(task.id()));
    run(new AssignTask(ANNA, one.id()));
    decide(one, "The server uses port 80.");
    decide(other, "The server does not use port 80.");
    assertThat(detect(task))
        .extracting(Conflict::type)
        .containsExactlyInAnyOrder(ConflictType.INCOMPATIBLE_DECISION, ConflictType.GOAL_CONFLICT);
    assertThat(listed(AgentsView::unresolvedConflicts))
        .filteredOn(conflict -> conflict.type() == ConflictType.GOAL_CONFLICT)
        .singleElement()
        .satisfies(conflict -> assertThat(conflict.first().agent()).contains(ANNA));
  }

  private Trajectory under(Trajectory task, String goal) {
    return memory.run(
        SPACE, StartTrajectory.of(goal, EntityRef.agent("anna")).withParent(task.id()));
  }

  @Test
  @DisplayName("AGT-16: the whole line below a task is looked through, up to a written limit")
  void wholeLine() {
    Trajectory task = task();
    Trajectory below = under(under(task, "Write it"), "Test it");
    decide(task, "The server uses port 80.");
    decide(below, "The server does not use port 80.");
    assertThat(detect(task)).hasSize(1);
    assertThat(detect(below)).as("nothing below that task contradicts").isEmpty();
    Agents narrow =
        Agents.of(
            store,
            AgentsConfig.starter()
                .with(
                    "agents.work.conflict-search-tasks = 2",
                    "agents.work.conflict-search-records = 10"),
            new AgentsDependencies(
                clock, RuntimeConfig.starter(), memory, MemoryConfig.starter(), contexts));
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () -> narrow.detectConflicts(SPACE, new DetectConflicts(PLANNER, task.id())));
    assertThat(traces("agent_command_rejected").getFirst().detail())
        .contains("DetectConflicts LIMIT_EXCEEDED");
  }

  @Test
  @DisplayName("AGT-16: conflicts are found where a task has more than a list holds")
  void moreThanAListHolds() {
    Trajectory task = task();
    for (String part : List.of("Write it", "Test it", "Ship it")) {
      under(task, part);
    }
    decide(task, "The log is kept for a year.");
    decide(task, "The server uses port 80.");
    decide(task, "The server does not use port 80.");
    for (String words :
        List.of("The build is fast.", "The build is green.", "The build is not green.")) {
      memory.run(SPACE, WriteNote.of("build", "thing", NoteType.FACT, words).withSource(task.id()));
    }
    Agents tight =
        Agents.of(
            store,
            AgentsConfig.starter(),
            new AgentsDependencies(
                clock,
                RuntimeConfig.starter(),
                memory,
                MemoryConfig.starter().with("memory.limits.list = 2"),
                contexts));
    assertThat(tight.detectConflicts(SPACE, new DetectConflicts(PLANNER, task.id())).conflicts())
        .extracting(Conflict::type)
        .containsExactlyInAnyOrder(
            ConflictType.CONTRADICTING_FACT, ConflictType.INCOMPATIBLE_DECISION);
  }

  @Test
  @DisplayName("AGT-16: of many decisions the newest are compared, wherever they were made")
  void newestDecisions() {
    Trajectory task = task();
    Trajectory part = under(task, "Write it");
    decide(part, "The log is kept for a year.");
    clock.advance(Duration.ofSeconds(1));
    decide(part, "The cache is warmed.");
    clock.advance(Duration.ofSeconds(1));
    decide(part, "The server uses port 80.");
    clock.advance(Duration.ofSeconds(1));
    decide(task, "The server does not use port 80.");
    Agents brief =
        Agents.of(
            store,
            AgentsConfig.starter()
                .with(
                    "agents.work.conflict-search-tasks = 10",
                    "agents.work.conflict-search-records = 2"),
            new AgentsDependencies(
                clock, RuntimeConfig.starter(), memory, MemoryConfig.starter(), contexts));
    DetectConflicts.DetectConflictsResult detectConflictsResult =
        brief.detectConflicts(SPACE, new DetectConflicts(PLANNER, task.id()));
    assertThat(detectConflictsResult.conflicts())
        .singleElement()
        .extracting(Conflict::type)
        .isEqualTo(ConflictType.INCOMPATIBLE_DECISION);
    assertThat(detectConflictsResult.uncompared()).isEqualTo(2);
    assertThat(detectConflictsResult.cut())
        .as("what was not compared may contradict as well")
        .isTrue();
    DetectConflicts.DetectConflictsResult whole =
        agents.detectConflicts(SPACE, new DetectConflicts(PLANNER, task.id()));
    assertThat(whole.uncompared()).isZero();
    assertThat(whole.cut()).isFalse();
  }

  @Test
  @DisplayName("AGT-16: what was found from above is answered from below as well")
  void foundFromAbove() {
    Trajectory task = task();
    Trajectory part = under(task, "Write it");
    for (String words : List.of("The build is green.", "The build is not green.")) {
      memory.run(SPACE, WriteNote.of("build", "thing", NoteType.FACT, words).withSource(part.id()));
    }
    List<Conflict> above = detect(task);
    assertThat(above).hasSize(1);
    assertThat(detect(part)).isEqualTo(above);
  }

  @Test
  @DisplayName("AGT-17: a search among many open conflicts answers so many, and says that it cut")
  void manyOpenConflicts() {
    Trajectory task = task();
    for (int i = 0; i < 4; i++) {
      run(
          new ReportConflict(
              ANNA,
              ConflictType.GOAL_CONFLICT,
              ConflictSide.of(ANNA),
              ConflictSide.of(BEN),
              "goal " + i,
              Optional.of(task.id())));
    }
    Agents few =
        Agents.of(store, AgentsConfig.starter().with("agents.maintenance.list-limit = 3"), parts());
    DetectConflicts.DetectConflictsResult detectConflictsResult =
        few.detectConflicts(SPACE, new DetectConflicts(PLANNER, task.id()));
    assertThat(detectConflictsResult.conflicts()).hasSize(3);
    assertThat(detectConflictsResult.cut()).isTrue();
    assertThat(traces("agent_command_rejected")).isEmpty();
    assertThat(agents.detectConflicts(SPACE, new DetectConflicts(PLANNER, task.id())).cut())
        .isFalse();
  }

  private AgentsDependencies parts() {
    return new AgentsDependencies(
        clock, RuntimeConfig.starter(), memory, MemoryConfig.starter(), contexts);
  }

  @Test
  @DisplayName("AGT-16: what ended between the search and its commit is no conflict any more")
  void overMeanwhile() {
    Trajectory task = task();
    Trajectory one = under(task, "The cache is enabled.");
    Trajectory other = under(task, "The cache is disabled.");
    List<ReportConflict> found =
        store.read(
            SPACE,
            snapshot ->
                new ConflictDetector(
                        snapshot,
                        AgentsConfig.starter(),
                        parts(),
                        new DetectConflicts(PLANNER, task.id()))
                    .detect()
                    .found());
    assertThat(found).hasSize(1);
    memory.run(SPACE, EndTrajectory.complete(one.id(), "Done."));
    assertThat(
            store.<List<Conflict>>write(
                SPACE,
                transaction ->
                    new AgentsCommandDispatcher(
                            new AgentsUnitOfWork(transaction, AgentsConfig.starter(), parts()))
                        .recordDetectedConflicts(found)))
        .isEmpty();
    assertThat(other.status().isTerminal()).isFalse();
  }

  private void decide(Trajectory task, String words) {
    Scope scope = memory.view(SPACE, view -> view.currentScope(task.id())).orElseThrow();
    memory.run(
        SPACE,
        CreateArtifacts.of(
            NewArtifact.of(scope.id(), ArtifactType.DESIGN_DECISION, Bytes.of(words))));
  }

  @Test
  @DisplayName("AGT-16: a write after one's turn is a concurrent write")
  void concurrentWrite() {
    Fence old = hold(ANNA, FILE).fence();
    clock.advance(Duration.ofSeconds(30));
    Fence fresh = hold(BEN, FILE).fence();
    refuses(
        AgentsErrorCode.STALE_FENCE,
        () -> agents.writeFenced(SPACE, ANNA, old, transaction -> transaction.newId()));
    assertThat(agents.<Long>writeFenced(SPACE, BEN, fresh, transaction -> transaction.revision()))
        .isPositive();
    assertThat(listed(AgentsView::unresolvedConflicts))
        .singleElement()
        .satisfies(
            conflict -> {
              assertThat(conflict.type()).isEqualTo(ConflictType.CONCURRENT_WRITE);
              assertThat(conflict.first().agent()).contains(BEN);
              assertThat(conflict.second().agent()).contains(ANNA);
              assertThat(conflict.about()).isEqualTo(FILE.toString());
            });
  }

  @Test
  @DisplayName("AGT-16: a circle of waiting is contention, for each thing that it is about")
  void circlesOfWaiting() {
    hold(ANNA, FILE);
    hold(BEN, OTHER_FILE);
    run(AcquireLease.exclusive(ANNA, OTHER_FILE).withQueueing());
    refuses(AgentsErrorCode.DEADLOCK, () -> run(AcquireLease.exclusive(BEN, FILE).withQueueing()));
    refuses(AgentsErrorCode.DEADLOCK, () -> run(AcquireLease.exclusive(BEN, FILE).withQueueing()));
    Resource third = new Resource("file", "third");
    hold(ANNA, third);
    refuses(AgentsErrorCode.DEADLOCK, () -> run(AcquireLease.exclusive(BEN, third).withQueueing()));
    assertThat(listed(AgentsView::unresolvedConflicts))
        .extracting(Conflict::type, Conflict::about)
        .containsExactly(
            tuple(ConflictType.RESOURCE_CONTENTION, FILE.toString()),
            tuple(ConflictType.RESOURCE_CONTENTION, third.toString()));
  }

  @Test
  @DisplayName("AGT-16: waiting for too long is contention, in the task of who waits")
  void contention() {
    Trajectory task = task();
    run(new AssignTask(BEN, task.id()));
    run(AcquireLease.exclusive(ANNA, FILE).withDuration(Duration.ofHours(1)));
    for (int i = 0; i < 31; i++) {
      run(AcquireLease.exclusive(BEN, FILE).withQueueing());
      assertThat(detect(task)).isEmpty();
      clock.advance(Duration.ofSeconds(20));
    }
    assertThat(detect(task())).as("another task has nothing to do with it").isEmpty();
    assertThat(detect(task))
        .singleElement()
        .satisfies(
            conflict -> {
              assertThat(conflict.type()).isEqualTo(ConflictType.RESOURCE_CONTENTION);
              assertThat(conflict.first().agent()).contains(ANNA);
              assertThat(conflict.second().agent()).contains(BEN);
              assertThat(conflict.about()).isEqualTo(FILE.toString());
            });
  }

  @Test
  @DisplayName("AGT-17: an escalation is heard although the superior's inbox is full")
  void escalatesIntoAFullInbox() {
    for (int i = 0; i < AgentsConfig.starter().messages().inboxLimit(); i += 100) {
      store.commit(
          SPACE,
          transaction -> {
            for (int j = 0; j < 100; j++) {
              agents.run(
                  transaction,
                  SendMessage.of(BEN, Recipient.ofAgent(PLANNER), MessageContent.of("chat", "{}"))
                      .withPriority(MessagePriority.LOW));
            }
          });
    }
    Conflict conflict = report();
    run(TransitionConflict.of(ANNA, conflict.id(), ConflictStatus.ConflictTransition.ESCALATE));
    assertThat(run(new ReceiveMessages(PLANNER, 1)).getFirst().letter().type())
        .isEqualTo("conflict");
  }

  @Test
  @DisplayName("AGT-17: who decided is who says so, in words that have an end")
  void resolutionsAreOnesOwn() {
    Conflict conflict = report();
    ConflictOutcome bens =
        new ConflictOutcome(BEN, ConflictOutcome.ConflictVerdict.MERGED, "Both.");
    refuses(
        KernelErrorCode.INVALID_VALUE,
        () ->
            new TransitionConflict(
                ANNA, conflict.id(), ConflictStatus.ConflictTransition.RESOLVE, Optional.of(bens)));
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () ->
            run(
                TransitionConflict.resolve(
                    conflict.id(),
                    new ConflictOutcome(
                        BEN, ConflictOutcome.ConflictVerdict.MERGED, "x".repeat(70_000)))));
  }

  @Test
  void howThingsStand() {
    Lease lease = hold(ANNA, FILE);
    run(AcquireLease.shared(BEN, FILE).withQueueing());
    CoordinationStatus now = agents.view(SPACE, view -> view.coordinationStatus(clock.instant()));
    assertThat(now.leases()).containsExactly(lease);
    assertThat(now.waiters())
        .containsExactly(new LeaseWaiter(BEN, FILE, List.of(ANNA), clock.instant(), false));
    assertThat(now.stuck()).isEmpty();
    Delegation work =
        run(
            CreateDelegation.of(
                PLANNER, Recipient.ofAgent(ANNA), DelegatedTask.of("Do it", task().id())));
    run(TransitionDelegation.of(ANNA, work.id(), DelegationStatus.DelegationTransition.ACCEPT));
    report();
    pass(Duration.ofMinutes(11));
    assertThat(agents.view(SPACE, view -> view.coordinationStatus(clock.instant())).stuck())
        .extracting(StuckItem::kind, StuckItem::reason)
        .contains(
            tuple("agent", "failed"),
            tuple("delegation", "the agent that does the work failed"),
            tuple("conflict", "detected"));
    assertThat(StuckItem.KINDS.stream().map(this::count))
        .as("the same, counted")
        .containsExactlyElementsOf(counts(stuck()));
  }

  private static List<Long> counts(List<StuckItem> stuck) {
    return StuckItem.KINDS.stream()
        .map(kind -> stuck.stream().filter(one -> one.kind().equals(kind)).count())
        .toList();
  }

  @Test
  @DisplayName(
      "agents that wait or are blocked, and tasks not accepted, are listed as stuck in time")
  void whatHangsIsTold() {
    Trajectory task = task();
    run(new AssignTask(PLANNER, task.id()));
    Handoff hanging = run(StartHandoff.of(PLANNER, Recipient.ofType("coder"), task.id(), OUTLINE));
    run(new TransitionAgent(CARA, AgentStatus.AgentTransition.ACTIVATE));
    run(new TransitionAgent(CARA, AgentStatus.AgentTransition.BLOCK));
    run(AcquireLease.exclusive(ANNA, FILE).withDuration(Duration.ofHours(1)));
    for (int i = 0; i < 31; i++) {
      run(AcquireLease.exclusive(BEN, FILE).withQueueing());
      assertThat(stuck()).isEmpty();
      clock.advance(Duration.ofSeconds(20));
      run(RecordHeartbeats.of(PLANNER, ANNA, BEN, CARA));
    }
    assertThat(stuck())
        .extracting(StuckItem::kind, StuckItem::id, StuckItem::reason)
        .containsExactly(
            tuple("agent", "cara", "blocked"),
            tuple("lease_wait", "ben for " + FILE, "waits"),
            tuple("handoff", hanging.id().toString(), "initiated"));
    run(new TransitionHandoff(ANNA, hanging.id(), HandoffStatus.HandoffTransition.ACCEPT));
    assertThat(stuck()).extracting(StuckItem::kind).containsExactly("agent", "lease_wait");
    assertThat(StuckItem.KINDS.stream().map(this::count)).containsExactly(1L, 1L, 0L, 0L, 0L, 0L);
  }

  private long count(String kind) {
    return agents.<Long>view(
        SPACE, view -> view.countStuck(clock.instant()).getOrDefault(kind, -1L));
  }

  private List<StuckItem> stuck() {
    return agents.view(SPACE, view -> view.coordinationStatus(clock.instant())).stuck();
  }

  @Test
  @DisplayName("STO-33: everything of agents is in tables, with columns that people can read")
  void tablesAreReadable() {
    assertThat(Agents.tables())
        .extracting(table -> table.name())
        .containsExactlyInAnyOrder(
            "agent",
            "agent_heartbeat",
            "lease",
            "lease_wait",
            "message",
            "delegation",
            "handoff",
            "conflict");
    assertThat(Agents.tables()).allSatisfy(table -> assertThat(table.description()).isNotBlank());
  }

  @Test
  @DisplayName("STO-33: a record with a status, mode, type or priority that is not listed is none")
  void valuesAreThoseThatAreListed() {
    hold(ANNA, FILE);
    Trajectory task = task();
    report();
    run(SendMessage.of(ANNA, Recipient.ofAgent(BEN), MessageContent.of("hint", "{}")));
    Delegation work =
        run(
            CreateDelegation.of(
                PLANNER, Recipient.ofAgent(ANNA), DelegatedTask.of("Do it", task().id())));
    requireListed(read(ANNA), "status");
    requireListed(listed(AgentsView::leases).getFirst(), "mode");
    Message message = listed(view -> view.messages(MessageState.PENDING)).getFirst();
    requireListed(message, "priority");
    requireListed(message.delivery(), "state");
    requireListed(work, "status");
    run(new AssignTask(ANNA, task.id()));
    requireListed(run(StartHandoff.of(ANNA, Recipient.ofAgent(BEN), task.id(), OUTLINE)), "status");
    requireListed(listed(AgentsView::unresolvedConflicts).getFirst(), "type", "status");
  }

  private static void requireListed(Record record, String... properties) {
    for (String property : properties) {
      ObjectNode body = Json.mapper().valueToTree(record);
      assertThat(Json.read(body.toString(), record.getClass())).isEqualTo(record);
      body.put(property, "ELSE");
      assertThatThrownBy(() -> Json.read(body.toString(), record.getClass()))
          .as("%s of %s", property, record)
          .isInstanceOf(KernelException.class);
    }
  }

  @Test
  @DisplayName("STO-33: what a record refers to has to be there")
  void referencesAreChecked() {
    refuses(
        AgentsErrorCode.NOT_REGISTERED,
        () -> run(RegisterAgent.of("dora", AgentProfile.of("coder").withSuperior(NOBODY))));
    refuses(MemoryErrorCode.UNKNOWN_RECORD, () -> run(new AssignTask(ANNA, unknown())));
    refuses(
        MemoryErrorCode.UNKNOWN_RECORD,
        () ->
            run(
                CreateDelegation.of(
                    PLANNER, Recipient.ofAgent(ANNA), DelegatedTask.of("Do it", unknown()))));
    DelegatedTask sharing =
        DelegatedTask.of("Do it", task().id()).withShared(SharedRecords.notes(unknown()));
    refuses(
        MemoryErrorCode.UNKNOWN_RECORD,
        () -> run(CreateDelegation.of(PLANNER, Recipient.ofAgent(ANNA), sharing)));
    refuses(
        MemoryErrorCode.UNKNOWN_RECORD,
        () ->
            run(
                SendMessage.of(
                    ANNA,
                    Recipient.ofAgent(BEN),
                    MessageContent.of("hint", "{}").withTrajectory(unknown()))));
  }
}
