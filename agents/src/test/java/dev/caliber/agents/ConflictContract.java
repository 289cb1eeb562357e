package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.caliber.agents.Conflict.Item;
import dev.caliber.agents.Standing.Stuck;
import dev.caliber.agents.Standing.Waiter;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Where agents disagree, and how things stand, on whatever engine. */
abstract class ConflictContract extends AgentsFixture {

  private Conflict report() {
    return run(
        new ReportConflict(
            ANNA,
            ConflictType.GOAL_CONFLICT,
            Item.of(ANNA),
            Item.of(BEN),
            "who is first",
            Optional.empty()));
  }

  private List<Conflict> detect(Trajectory task) {
    return run(new DetectConflicts(PLANNER, task.id()));
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
    run(MoveConflict.of(BEN, conflict.id(), ConflictStatus.Event.BEGIN));
    assertThat(listed(AgentsView::unresolved)).hasSize(1);
    refuses(
        KernelErrorCode.INVALID_VALUE,
        () -> run(MoveConflict.of(BEN, conflict.id(), ConflictStatus.Event.RESOLVE)));
    Resolution resolution =
        new Resolution(BEN, Resolution.Verdict.FIRST_STANDS, "Anna was there first.");
    Conflict resolved = run(MoveConflict.resolve(conflict.id(), resolution));
    assertThat(resolved.resolution()).contains(resolution);
    assertThat(resolved.resolvedAt()).contains(clock.instant());
    assertThat(listed(AgentsView::unresolved)).isEmpty();
    assertThat(report().id()).isNotEqualTo(conflict.id());
  }

  @Test
  @DisplayName("AGT-17: an escalated conflict is told to the superior, before everything else")
  void escalates() {
    Conflict conflict = report();
    run(MoveConflict.of(ANNA, conflict.id(), ConflictStatus.Event.ESCALATE));
    assertThat(run(new ReceiveMessages(PLANNER, 1)))
        .singleElement()
        .satisfies(
            message -> {
              assertThat(message.priority()).isEqualTo(Priority.CRITICAL);
              assertThat(message.letter().payload()).contains(conflict.id().toString());
            });
    assertThat(listed(AgentsView::unresolved)).hasSize(1);
  }

  @Test
  @DisplayName("AGT-16: facts of a task that contradict each other are found")
  void contradictingFacts() {
    Trajectory task = task();
    for (String words : List.of("The build is green.", "The build is not green.")) {
      memory.run(SPACE, WriteNote.of("build", "thing", NoteType.FACT, words).learnedIn(task.id()));
    }
    assertThat(detect(task))
        .singleElement()
        .extracting(Conflict::type)
        .isEqualTo(ConflictType.CONTRADICTING_FACT);
    assertThat(detect(task)).hasSize(1);
    assertThat(listed(view -> view.unresolved(task.id()))).hasSize(1);
    assertThat(listed(view -> view.unresolved(unknown()))).isEmpty();
  }

  @Test
  @DisplayName("AGT-16: decisions and goals of the parts of a task that contradict are found")
  void decisionsAndGoals() {
    Trajectory task = task();
    Trajectory one =
        memory.run(
            SPACE,
            StartTrajectory.of("The cache is enabled.", EntityRef.agent("anna")).under(task.id()));
    Trajectory other =
        memory.run(
            SPACE,
            StartTrajectory.of("The cache is disabled.", EntityRef.agent("ben")).under(task.id()));
    run(new WorkOn(ANNA, one.id()));
    decide(one, "The server uses port 80.");
    decide(other, "The server does not use port 80.");
    assertThat(detect(task))
        .extracting(Conflict::type)
        .containsExactlyInAnyOrder(ConflictType.INCOMPATIBLE_DECISION, ConflictType.GOAL_CONFLICT);
    assertThat(listed(AgentsView::unresolved))
        .filteredOn(conflict -> conflict.type() == ConflictType.GOAL_CONFLICT)
        .singleElement()
        .satisfies(conflict -> assertThat(conflict.first().agent()).contains(ANNA));
  }

  private void decide(Trajectory task, String words) {
    Scope scope = memory.view(SPACE, view -> view.currentScope(task.id())).orElseThrow();
    memory.run(
        SPACE,
        CreateArtifacts.of(
            CreateArtifact.of(scope.id(), ArtifactType.DESIGN_DECISION, Bytes.of(words))));
  }

  @Test
  @DisplayName("AGT-16: a write after one's turn is a concurrent write")
  void concurrentWrite() {
    Fence old = hold(ANNA, FILE).fence();
    clock.advance(Duration.ofSeconds(30));
    Fence fresh = hold(BEN, FILE).fence();
    refuses(
        AgentsErrorCode.STALE_FENCE,
        () -> agents.write(SPACE, ANNA, old, transaction -> transaction.newId()));
    assertThat(agents.<Long>write(SPACE, BEN, fresh, transaction -> transaction.revision()))
        .isPositive();
    assertThat(listed(AgentsView::unresolved))
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
  @DisplayName("AGT-16: a circle of waiting, and waiting for too long, are contention")
  void contention() {
    hold(ANNA, FILE);
    hold(BEN, OTHER_FILE);
    run(AcquireLease.exclusive(ANNA, OTHER_FILE).waiting());
    refuses(AgentsErrorCode.DEADLOCK, () -> run(AcquireLease.exclusive(BEN, FILE).waiting()));
    assertThat(listed(AgentsView::unresolved))
        .singleElement()
        .extracting(Conflict::type)
        .isEqualTo(ConflictType.RESOURCE_CONTENTION);
  }

  @Test
  void howThingsStand() {
    Lease lease = hold(ANNA, FILE);
    run(AcquireLease.shared(BEN, FILE).waiting());
    Standing now = agents.view(SPACE, view -> view.standing(clock.instant()));
    assertThat(now.leases()).containsExactly(lease);
    assertThat(now.waiters())
        .containsExactly(new Waiter(BEN, FILE, List.of(ANNA), clock.instant()));
    assertThat(now.stuck()).isEmpty();
    Delegation work = run(Delegate.of(PLANNER, Address.agent(ANNA), Task.of("Do it", task().id())));
    run(MoveDelegation.of(ANNA, work.id(), DelegationStatus.Event.ACCEPT));
    report();
    pass(Duration.ofMinutes(11));
    assertThat(agents.view(SPACE, view -> view.standing(clock.instant())).stuck())
        .extracting(Stuck::kind, Stuck::reason)
        .contains(
            tuple("agent", "failed"),
            tuple("delegation", "its agent failed"),
            tuple("conflict", "detected"));
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
}
