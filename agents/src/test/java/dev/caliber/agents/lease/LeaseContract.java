package dev.caliber.agents.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.AgentsDependencies;
import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.AcquireLeaseResult;
import dev.caliber.agents.command.AcquireLeaseResult.QueuedLeaseRequest;
import dev.caliber.agents.command.LeaveLeaseQueue;
import dev.caliber.agents.command.RecordHeartbeats;
import dev.caliber.agents.command.RegisterAgent;
import dev.caliber.agents.command.ReleaseLease;
import dev.caliber.agents.command.RenewLease;
import dev.caliber.agents.command.RevokeLease;
import dev.caliber.agents.command.SendMessage;
import dev.caliber.agents.command.TransitionAgent;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageContent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentProfile;
import dev.caliber.agents.registry.AgentStatus;
import dev.caliber.agents.registry.AgentsErrorCode;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.AgentsFixture;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordChange;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Leases and their queues. */
@EachEngine
class LeaseContract extends AgentsFixture {
  private static final Duration LEASE = Duration.ofSeconds(30);

  @Override
  public AgentsConfig config(AgentsConfig starter) {
    return starter.with(
        "agents.leases.max-duration = '2m'",
        "agents.leases.queue-entry-timeout = '40s'",
        "agents.leases.max-holders = 3",
        "agents.leases.max-queue-length = 2",
        "agents.leases.deadlock-search-limit = 100",
        "agents.leases.agents-ahead-limit = 2");
  }

  @Test
  @DisplayName("AGT-04, STO-11: a lease names its resource, holder, mode, token and both times")
  void acquires() {
    Lease lease = hold(ANNA, FILE);
    assertThat(lease.resource()).isEqualTo(FILE);
    assertThat(lease.holder()).isEqualTo(ANNA);
    assertThat(lease.mode()).isEqualTo(LeaseMode.EXCLUSIVE);
    assertThat(lease.acquiredAt()).isEqualTo(clock.instant());
    assertThat(lease.expiresAt()).isEqualTo(clock.instant().plus(LEASE));
    assertThat(found(view -> view.lease(lease.id()))).contains(lease);
    assertThat(listed(view -> view.leases(FILE))).containsExactly(lease);
  }

  @Test
  @DisplayName("AGT-05, J-47: sharing goes together, exclusive with nothing, in both directions")
  void compatibility() {
    share(ANNA, FILE);
    share(BEN, FILE);
    refuses(AgentsErrorCode.LEASE_NOT_ACQUIRED, () -> hold(CARA, FILE));
    hold(CARA, OTHER_FILE);
    refuses(AgentsErrorCode.LEASE_NOT_ACQUIRED, () -> share(ANNA, OTHER_FILE));
    refuses(AgentsErrorCode.LEASE_NOT_ACQUIRED, () -> hold(ANNA, OTHER_FILE));
  }

  @Test
  @DisplayName("AGT-05: an expired lease blocks no agent, whether or not it was cleaned up")
  void endedLeasesDoNotBlock() {
    Lease first = hold(ANNA, FILE);
    clock.advance(LEASE);
    Lease second = hold(BEN, FILE);
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(listed(view -> view.leases(FILE))).containsExactly(second);
  }

  @Test
  @DisplayName("AGT-06, ERR-07: a refusal names the resource and who has it")
  void refusalNamesTheHolder() {
    hold(ANNA, FILE);
    assertThat(refuses(AgentsErrorCode.LEASE_NOT_ACQUIRED, () -> hold(BEN, FILE)))
        .hasMessageContaining("file/src/Main.java")
        .hasMessageContaining("anna");
  }

  @Test
  @DisplayName("AGT-06, STO-11: an ended lease cannot be renewed, and clean-up removes it")
  void renewal() {
    Lease lease = hold(ANNA, FILE);
    clock.advance(Duration.ofSeconds(20));
    Lease renewed = run(RenewLease.of(lease));
    assertThat(renewed.token()).isEqualTo(lease.token());
    assertThat(renewed.expiresAt()).isEqualTo(clock.instant().plus(LEASE));
    clock.advance(LEASE);
    refuses(AgentsErrorCode.LEASE_EXPIRED, () -> run(RenewLease.of(lease)));
    assertThat(agents.runMaintenance(SPACE).leases()).isEqualTo(1);
    assertThat(found(view -> view.lease(lease.id()))).isEmpty();
    run(RecordHeartbeats.of(ANNA));
    refuses(AgentsErrorCode.LEASE_EXPIRED, () -> run(RenewLease.of(lease)));
    assertThat(traces("lease_expired")).hasSize(1);
  }

  @Test
  @DisplayName("AGT-07, J-47: a release is true once, and only the holder's")
  void release() {
    Lease lease = hold(ANNA, FILE);
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> run(new ReleaseLease(BEN, lease.id())));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED,
        () -> run(new RenewLease(BEN, lease.id(), java.util.Optional.empty())));
    assertThat(run(ReleaseLease.of(lease))).isTrue();
    assertThat(run(ReleaseLease.of(lease))).isFalse();
    assertThat(hold(BEN, FILE).token()).isGreaterThan(lease.token());
  }

  @Test
  @DisplayName("J-47: an agent has one lease on a resource; asking again prolongs it")
  void oncePerHolder() {
    Lease lease = hold(ANNA, FILE);
    clock.advance(Duration.ofSeconds(10));
    assertThat(share(ANNA, FILE).id()).isEqualTo(lease.id());
    assertThat(listed(view -> view.leasesOf(ANNA)))
        .singleElement()
        .extracting(Lease::expiresAt)
        .isEqualTo(clock.instant().plus(LEASE));
  }

  @Test
  void aSharedLeaseBecomesExclusiveOnceItIsTheOnlyOne() {
    Lease anna = share(ANNA, FILE);
    Lease ben = share(BEN, FILE);
    refuses(AgentsErrorCode.LEASE_NOT_ACQUIRED, () -> hold(ANNA, FILE));
    run(ReleaseLease.of(ben));
    Lease grown = hold(ANNA, FILE);
    assertThat(grown.mode()).isEqualTo(LeaseMode.EXCLUSIVE);
    assertThat(grown.token()).isGreaterThan(anna.token());
    assertThat(listed(view -> view.leases(FILE))).containsExactly(grown);
  }

  private AcquireLeaseResult ask(AgentId agent, Resource resource) {
    return run(AcquireLease.exclusive(agent, resource).withQueueing());
  }

  @Test
  void theQueueIsServedInItsOrderAndNobodyOvertakes() {
    Lease first = hold(ANNA, FILE);
    assertThat(ask(BEN, FILE))
        .isInstanceOfSatisfying(
            QueuedLeaseRequest.class, it -> assertThat(it.behind()).containsExactly(ANNA));
    assertThat(run(AcquireLease.shared(CARA, FILE).withQueueing()))
        .isInstanceOfSatisfying(
            QueuedLeaseRequest.class, it -> assertThat(it.behind()).containsExactly(ANNA, BEN));
    run(ReleaseLease.of(first));
    refuses(AgentsErrorCode.LEASE_NOT_ACQUIRED, () -> share(PLANNER, FILE));
    assertThat(run(AcquireLease.shared(CARA, FILE).withQueueing()).grantedLease()).isEmpty();
    Lease second = ask(BEN, FILE).grantedLease().orElseThrow();
    run(ReleaseLease.of(second));
    assertThat(run(AcquireLease.shared(CARA, FILE)).grantedLease()).isPresent();
    assertThat(listed(view -> view.leaseQueue(FILE))).isEmpty();
  }

  @Test
  @DisplayName(
      "AGT-06: of those before a wish the first are named, and that there are more is said")
  void namesTheFirst() {
    share(ANNA, FILE);
    share(BEN, FILE);
    assertThat(ask(CARA, FILE))
        .isInstanceOfSatisfying(
            QueuedLeaseRequest.class,
            it -> {
              assertThat(it.behind()).containsExactly(ANNA, BEN);
              assertThat(it.cut()).isFalse();
            });
    assertThat(ask(PLANNER, FILE))
        .isInstanceOfSatisfying(
            QueuedLeaseRequest.class,
            it -> {
              assertThat(it.behind()).containsExactly(ANNA, BEN);
              assertThat(it.cut()).isTrue();
            });
    run(RegisterAgent.of("dora", AgentProfile.of("coder")));
    assertThat(refuses(AgentsErrorCode.LEASE_NOT_ACQUIRED, () -> hold(new AgentId("dora"), FILE)))
        .hasMessageEndingWith("held or awaited by anna, ben and others");
  }

  @Test
  @DisplayName("AGT-05: many who share wait together behind one who wants all, and go on together")
  void sharersBehindOne() {
    Lease all = hold(ANNA, FILE);
    AcquireLease ben = AcquireLease.shared(BEN, FILE).withQueueing();
    AcquireLease cara = AcquireLease.shared(CARA, FILE).withQueueing();
    assertThat(run(ben).grantedLease()).isEmpty();
    assertThat(run(cara))
        .isInstanceOfSatisfying(
            QueuedLeaseRequest.class,
            it -> assertThat(it.behind()).as("not ben").containsExactly(ANNA));
    run(ReleaseLease.of(all));
    assertThat(run(cara).grantedLease()).isPresent();
    assertThat(run(ben).grantedLease()).isPresent();
    assertThat(listed(view -> view.leaseQueue(FILE))).isEmpty();
  }

  @Test
  @DisplayName("AGT-05: a queue full of expired entries has room again")
  void endedOnesTakeNoRoom() {
    hold(ANNA, FILE);
    ask(BEN, FILE);
    ask(CARA, FILE);
    clock.advance(Duration.ofSeconds(25));
    run(AcquireLease.exclusive(ANNA, FILE));
    clock.advance(Duration.ofSeconds(16));
    assertThat(ask(PLANNER, FILE)).isInstanceOf(QueuedLeaseRequest.class);
    assertThat(listed(view -> view.leaseQueue(FILE)))
        .extracting(LeaseQueueEntry::agent)
        .containsExactly(PLANNER);
  }

  @Test
  void aPlaceThatNobodyAsksForIsLost() {
    hold(ANNA, FILE);
    ask(BEN, FILE);
    clock.advance(Duration.ofSeconds(41));
    assertThat(ask(CARA, FILE).grantedLease()).isPresent();
    assertThat(listed(view -> view.leaseQueue(FILE))).isEmpty();
    ask(BEN, FILE);
    assertThat(run(new LeaveLeaseQueue(BEN, FILE))).isTrue();
    assertThat(run(new LeaveLeaseQueue(BEN, FILE))).isFalse();
    assertThat(traces("lease_queue_left")).hasSize(1);
  }

  @Test
  void aHolderCannotKeepOthersWaitingForEver() {
    Lease lease = hold(ANNA, FILE);
    for (int i = 0; i < 8; i++) {
      ask(BEN, FILE);
      passAlive(Duration.ofSeconds(14), ANNA, BEN);
      lease = run(RenewLease.of(lease));
    }
    ask(BEN, FILE);
    clock.advance(Duration.ofSeconds(10));
    Lease last = lease;
    refuses(AgentsErrorCode.LEASE_EXPIRED, () -> run(RenewLease.of(last)));
    assertThat(ask(BEN, FILE).grantedLease()).isPresent();
  }

  @Test
  void aCircleOfWaitingIsRefusedAndNamed() {
    hold(ANNA, FILE);
    hold(BEN, OTHER_FILE);
    ask(ANNA, OTHER_FILE);
    assertThat(refuses(AgentsErrorCode.DEADLOCK, () -> ask(BEN, FILE)))
        .hasMessageContaining(
            "ben waits for file/src/Main.java, anna waits for file/src/Other.java");
    assertThat(listed(view -> view.leaseQueue(FILE))).isEmpty();
  }

  @Test
  void twoWhoShareAndBothWantAllAreACircle() {
    share(ANNA, FILE);
    share(BEN, FILE);
    ask(ANNA, FILE);
    refuses(AgentsErrorCode.DEADLOCK, () -> ask(BEN, FILE));
  }

  @Test
  void whoStandsInFrontIsWaitedForToo() {
    hold(PLANNER, FILE);
    hold(BEN, OTHER_FILE);
    ask(ANNA, FILE);
    ask(BEN, FILE);
    assertThat(refuses(AgentsErrorCode.DEADLOCK, () -> ask(ANNA, OTHER_FILE)))
        .hasMessageContaining("anna waits for file/src/Other.java")
        .hasMessageContaining("ben waits for file/src/Main.java");
  }

  @Test
  void oneWhoSharesAndWantsAllWaitsForHoldersOnly() {
    share(ANNA, FILE);
    share(BEN, FILE);
    ask(CARA, FILE);
    assertThat(ask(ANNA, FILE))
        .isInstanceOfSatisfying(
            QueuedLeaseRequest.class, it -> assertThat(it.behind()).containsExactly(BEN));
  }

  @Test
  void circlesHaveAnyLength() {
    Resource third = new Resource("file", "third");
    hold(ANNA, FILE);
    hold(BEN, OTHER_FILE);
    hold(CARA, third);
    ask(BEN, FILE);
    ask(CARA, OTHER_FILE);
    assertThat(refuses(AgentsErrorCode.DEADLOCK, () -> ask(ANNA, third)))
        .hasMessageContaining("anna waits for file/third")
        .hasMessageContaining("cara waits for file/src/Other.java")
        .hasMessageContaining("ben waits for file/src/Main.java");
  }

  @Test
  void whoWantsMoreStandsBehindTheOthersAndClosesNoCircle() {
    hold(PLANNER, FILE);
    hold(ANNA, OTHER_FILE);
    run(AcquireLease.shared(ANNA, FILE).withQueueing());
    ask(BEN, FILE);
    ask(BEN, OTHER_FILE);
    refuses(AgentsErrorCode.DEADLOCK, () -> ask(ANNA, FILE));
    assertThat(run(new LeaveLeaseQueue(BEN, OTHER_FILE))).isTrue();
    assertThat(ask(ANNA, FILE))
        .isInstanceOfSatisfying(
            QueuedLeaseRequest.class, it -> assertThat(it.behind()).containsExactly(PLANNER, BEN));
  }

  @Test
  void whoWantsLessKeepsThePlace() {
    Lease held = hold(PLANNER, FILE);
    ask(ANNA, FILE);
    ask(BEN, FILE);
    assertThat(run(AcquireLease.shared(ANNA, FILE).withQueueing()))
        .isInstanceOfSatisfying(
            QueuedLeaseRequest.class, it -> assertThat(it.behind()).containsExactly(PLANNER));
    run(ReleaseLease.of(held));
    assertThat(run(AcquireLease.shared(ANNA, FILE)).grantedLease()).isPresent();
    assertThat(ask(BEN, FILE).grantedLease()).isEmpty();
  }

  @Test
  void whoWaitsGetsItWhenItIsGivenBack() throws Exception {
    Lease held = hold(ANNA, FILE);
    AcquireLease wish = AcquireLease.exclusive(BEN, FILE);
    assertThat(agents.awaitLease(SPACE, wish, Duration.ZERO).grantedLease()).isEmpty();
    assertThat(run(new LeaveLeaseQueue(BEN, FILE))).isTrue();
    try (ExecutorService pool = threads()) {
      Future<AcquireLeaseResult> waiting =
          pool.submit(() -> agents.awaitLease(SPACE, wish, Duration.ofSeconds(30)));
      while (listed(view -> view.leaseQueue(FILE)).isEmpty()) {
        Thread.onSpinWait();
      }
      run(ReleaseLease.of(held));
      assertThat(waiting.get().grantedLease().orElseThrow().holder()).isEqualTo(BEN);
    }
    refuses(
        KernelErrorCode.INVALID_VALUE, () -> agents.awaitLease(SPACE, wish, Duration.ofMinutes(1)));
  }

  /**
   * Returns agents whose waiting calls poll only after hours, so that only a notification wakes
   * them.
   */
  private Agents patient() {
    return Agents.of(
        store,
        config(AgentsConfig.starter())
            .with(
                "agents.leases.queue-entry-timeout = '1d'",
                "agents.blocking-calls.max-wait = '1h'",
                "agents.blocking-calls.max-calls = 1"),
        new AgentsDependencies(
            clock, RuntimeConfig.starter(), memory, MemoryConfig.starter(), contexts));
  }

  /**
   * Checks that Cara, who waits in shared mode behind Ben's exclusive request, is woken when he
   * leaves.
   */
  private void isToldWhenBenGoes(Runnable going) throws Exception {
    Agents patient = patient();
    AcquireLease wish = AcquireLease.shared(CARA, FILE);
    try (ExecutorService pool = threads()) {
      Future<AcquireLeaseResult> waiting =
          pool.submit(() -> patient.awaitLease(SPACE, wish, Duration.ofHours(1)));
      try {
        while (listed(view -> view.leaseQueue(FILE)).size() < 2) {
          Thread.onSpinWait();
        }
        going.run();
        assertThat(waiting.get(1, TimeUnit.MINUTES).grantedLease().orElseThrow().holder())
            .isEqualTo(CARA);
      } finally {
        patient.endWaiting();
      }
    }
  }

  @Test
  @DisplayName("AGT-05: who waits goes on when the one before it gives up")
  void whoWaitsIsToldThatOneLeft() throws Exception {
    share(ANNA, FILE);
    ask(BEN, FILE);
    isToldWhenBenGoes(() -> run(new LeaveLeaseQueue(BEN, FILE)));
  }

  @Test
  @DisplayName("AGT-05: who waits goes on when the place of the one before it is lost")
  void whoWaitsIsToldThatAPlaceIsLost() throws Exception {
    run(AcquireLease.shared(ANNA, FILE).withDuration(Duration.ofMinutes(2)));
    ask(BEN, FILE);
    passAlive(Duration.ofSeconds(25), ANNA, BEN, CARA);
    isToldWhenBenGoes(() -> passAlive(Duration.ofSeconds(16), ANNA, BEN, CARA));
  }

  @Test
  @DisplayName("a lease that is revoked is gone, with the right to write under it")
  void revokes() {
    Lease held = hold(ANNA, FILE);
    assertThat(run(new RevokeLease(held.id(), "an operator"))).isEqualTo(held);
    assertThat(traces("lease_revoked"))
        .extracting(event -> event.detail().orElse(""))
        .containsExactly(FILE + " by an operator");
    refuses(AgentsErrorCode.STALE_FENCE, () -> write(held.fence(), "Late."));
    refuses(AgentsErrorCode.LEASE_EXPIRED, () -> run(RenewLease.of(held)));
    refuses(AgentsErrorCode.UNKNOWN_RECORD, () -> run(new RevokeLease(held.id(), "again")));
    assertThat(hold(BEN, FILE).token()).isGreaterThan(held.token());
  }

  @Test
  @DisplayName("AGT-02: a fence lets only its own holder write, and only one that acts")
  void writesAreTheHolders() {
    Fence fence = hold(ANNA, FILE).fence();
    refuses(
        AgentsErrorCode.NOT_REGISTERED, () -> agents.writeFenced(SPACE, NOBODY, fence, _ -> true));
    refuses(
        AgentsErrorCode.PERMISSION_DENIED, () -> agents.writeFenced(SPACE, BEN, fence, _ -> true));
    assertThat(agents.<Boolean>writeFenced(SPACE, ANNA, fence, _ -> true)).isTrue();
    run(new TransitionAgent(ANNA, AgentStatus.AgentTransition.FAIL));
    refuses(AgentsErrorCode.AGENT_FAILED, () -> agents.writeFenced(SPACE, ANNA, fence, _ -> true));
  }

  @Test
  void limitsAreWritten() {
    hold(ANNA, FILE);
    ask(BEN, FILE);
    ask(CARA, FILE);
    refuses(KernelErrorCode.LIMIT_EXCEEDED, () -> ask(PLANNER, FILE));
    share(ANNA, OTHER_FILE);
    share(BEN, OTHER_FILE);
    share(CARA, OTHER_FILE);
    refuses(KernelErrorCode.LIMIT_EXCEEDED, () -> share(PLANNER, OTHER_FILE));
    refuses(
        KernelErrorCode.INVALID_VALUE,
        () -> run(AcquireLease.shared(ANNA, FILE).withDuration(Duration.ofHours(1))));
  }

  private Note write(Fence fence, String words) {
    return store.write(
        SPACE,
        transaction -> {
          fence.check(transaction);
          return memory.run(transaction, WriteNote.of("build", "thing", NoteType.FACT, words));
        });
  }

  @Test
  void aStaleTokenRefusesTheCommit() {
    Fence old = hold(ANNA, FILE).fence();
    assertThat(write(old, "Anna was here.").content()).isEqualTo("Anna was here.");
    clock.advance(LEASE);
    refuses(AgentsErrorCode.STALE_FENCE, () -> write(old, "Late."));
    Fence fresh = hold(BEN, FILE).fence();
    refuses(AgentsErrorCode.STALE_FENCE, () -> write(old, "Later."));
    assertThat(write(fresh, "Ben, too.").content()).isEqualTo("Ben, too.");
    refuses(AgentsErrorCode.STALE_FENCE, () -> write(new Fence(OTHER_FILE, fresh.token()), "No."));
  }

  @Test
  @DisplayName("of several commits under a fence, those after the end of the lease are refused")
  void eachCommitIsFenced() {
    FencedStore fenced = new FencedStore(store);
    SpaceId elsewhere = new SpaceId("elsewhere");
    store.createSpace(elsewhere);
    Fence fence = hold(ANNA, FILE).fence();
    assertThatThrownBy(
            () ->
                FencedStore.withCommitCheck(
                    SPACE,
                    fence::check,
                    () -> {
                      note(fenced, SPACE, "In time.");
                      clock.advance(LEASE);
                      note(fenced, elsewhere, "Elsewhere.");
                      FencedStore.withoutCommitCheck(() -> note(fenced, SPACE, "Free."));
                      return note(fenced, SPACE, "Late.");
                    }))
        .isInstanceOfSatisfying(
            AgentsException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(AgentsErrorCode.STALE_FENCE));
    assertThat(store.<List<Note>>read(SPACE, LeaseContract::notes))
        .extracting(Note::content)
        .containsExactlyInAnyOrder("In time.", "Free.");
    assertThat(store.<List<Note>>read(elsewhere, LeaseContract::notes)).hasSize(1);
    assertThat(note(fenced, SPACE, "Behind it.").content()).isEqualTo("Behind it.");
  }

  private static List<Note> notes(Snapshot snapshot) {
    return snapshot.scan(Query.over(Note.TABLE), 100).records();
  }

  private Note note(RecordStore over, SpaceId space, String words) {
    return over.write(
        space,
        transaction ->
            memory.run(transaction, WriteNote.of("build", "thing", NoteType.FACT, words)));
  }

  private record Together(Lease lease, Message message, Note note, Checkpoint checkpoint) {}

  private Together together(Trajectory task, Fence fence) {
    return store.write(
        SPACE,
        transaction ->
            new Together(
                agents
                    .run(transaction, AcquireLease.exclusive(ANNA, OTHER_FILE))
                    .grantedLease()
                    .orElseThrow(),
                agents.run(
                    transaction,
                    SendMessage.of(ANNA, Recipient.ofAgent(BEN), MessageContent.of("done", "{}"))),
                memory.run(
                    transaction, WriteNote.of("build", "thing", NoteType.FACT, "It is green.")),
                checked(transaction, task, fence)));
  }

  private Checkpoint checked(
      dev.caliber.store.Transaction transaction, Trajectory task, Fence fence) {
    Checkpoint saved = memory.run(transaction, SaveCheckpoint.of(task.id()));
    fence.check(transaction);
    return saved;
  }

  @Test
  void aLockAMessageANoteAndACheckpointAreOneCommit() {
    Trajectory task = task();
    Fence fence = hold(ANNA, FILE).fence();
    FeedCursor before = store.changes().head(SPACE);
    Together all = together(task, fence);
    List<Commit> commits = store.changes().read(SPACE, before, 10);
    assertThat(commits).hasSize(1);
    assertThat(commits.getFirst().changes())
        .extracting(RecordChange::table)
        .contains("lease", "message", "note", "checkpoint");
    assertThat(all.lease().token()).isEqualTo(commits.getFirst().sequence());
    clock.advance(LEASE);
    refuses(AgentsErrorCode.STALE_FENCE, () -> together(task, fence));
  }
}
