package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.agents.Acquisition.Queued;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.Change;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who holds what, on whatever engine. */
abstract class LeaseContract extends AgentsFixture {
  private static final Duration LEASE = Duration.ofSeconds(30);

  @Override
  AgentsConfig config(AgentsConfig starter) {
    return starter.withLeases(
        new AgentsConfig.LeaseRules(Duration.ofMinutes(2), Duration.ofSeconds(40), 3, 2, 100, 2));
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
    refuses(AgentsErrorCode.LOCK_ACQUISITION_FAILED, () -> hold(CARA, FILE));
    hold(CARA, OTHER_FILE);
    refuses(AgentsErrorCode.LOCK_ACQUISITION_FAILED, () -> share(ANNA, OTHER_FILE));
    refuses(AgentsErrorCode.LOCK_ACQUISITION_FAILED, () -> hold(ANNA, OTHER_FILE));
  }

  @Test
  @DisplayName("AGT-05: a lease that has ended blocks nobody, whether or not it was cleaned up")
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
    assertThat(refuses(AgentsErrorCode.LOCK_ACQUISITION_FAILED, () -> hold(BEN, FILE)))
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
    refuses(AgentsErrorCode.LOCK_EXPIRED, () -> run(RenewLease.of(lease)));
    assertThat(agents.tend(SPACE).leases()).isEqualTo(1);
    assertThat(found(view -> view.lease(lease.id()))).isEmpty();
    run(Beat.of(ANNA));
    refuses(AgentsErrorCode.LOCK_EXPIRED, () -> run(RenewLease.of(lease)));
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
    refuses(AgentsErrorCode.LOCK_ACQUISITION_FAILED, () -> hold(ANNA, FILE));
    run(ReleaseLease.of(ben));
    Lease grown = hold(ANNA, FILE);
    assertThat(grown.mode()).isEqualTo(LeaseMode.EXCLUSIVE);
    assertThat(grown.token()).isGreaterThan(anna.token());
    assertThat(listed(view -> view.leases(FILE))).containsExactly(grown);
  }

  private Acquisition ask(AgentId agent, Resource resource) {
    return run(AcquireLease.exclusive(agent, resource).waiting());
  }

  @Test
  void theQueueIsServedInItsOrderAndNobodyOvertakes() {
    Lease first = hold(ANNA, FILE);
    assertThat(ask(BEN, FILE))
        .isInstanceOfSatisfying(Queued.class, it -> assertThat(it.behind()).containsExactly(ANNA));
    assertThat(run(AcquireLease.shared(CARA, FILE).waiting()))
        .isInstanceOfSatisfying(
            Queued.class, it -> assertThat(it.behind()).containsExactly(ANNA, BEN));
    run(ReleaseLease.of(first));
    refuses(AgentsErrorCode.LOCK_ACQUISITION_FAILED, () -> share(PLANNER, FILE));
    assertThat(run(AcquireLease.shared(CARA, FILE).waiting()).granted()).isEmpty();
    Lease second = ask(BEN, FILE).granted().orElseThrow();
    run(ReleaseLease.of(second));
    assertThat(run(AcquireLease.shared(CARA, FILE)).granted()).isPresent();
    assertThat(listed(view -> view.queue(FILE))).isEmpty();
  }

  @Test
  @DisplayName(
      "AGT-06: of those before a wish the first are named, and that there are more is said")
  void namesTheFirst() {
    share(ANNA, FILE);
    share(BEN, FILE);
    assertThat(ask(CARA, FILE))
        .isInstanceOfSatisfying(
            Queued.class,
            it -> {
              assertThat(it.behind()).containsExactly(ANNA, BEN);
              assertThat(it.cut()).isFalse();
            });
    assertThat(ask(PLANNER, FILE))
        .isInstanceOfSatisfying(
            Queued.class,
            it -> {
              assertThat(it.behind()).containsExactly(ANNA, BEN);
              assertThat(it.cut()).isTrue();
            });
    run(RegisterAgent.of("dora", Profile.of("coder")));
    assertThat(
            refuses(AgentsErrorCode.LOCK_ACQUISITION_FAILED, () -> hold(new AgentId("dora"), FILE)))
        .hasMessageEndingWith("found it with anna, ben and others");
  }

  @Test
  @DisplayName("AGT-05: many who share wait together behind one who wants all, and go on together")
  void sharersBehindOne() {
    Lease all = hold(ANNA, FILE);
    AcquireLease ben = AcquireLease.shared(BEN, FILE).waiting();
    AcquireLease cara = AcquireLease.shared(CARA, FILE).waiting();
    assertThat(run(ben).granted()).isEmpty();
    assertThat(run(cara))
        .isInstanceOfSatisfying(
            Queued.class, it -> assertThat(it.behind()).as("not ben").containsExactly(ANNA));
    run(ReleaseLease.of(all));
    assertThat(run(cara).granted()).isPresent();
    assertThat(run(ben).granted()).isPresent();
    assertThat(listed(view -> view.queue(FILE))).isEmpty();
  }

  @Test
  @DisplayName("AGT-05: whoever is full of those whose time is over has room again")
  void endedOnesTakeNoRoom() {
    hold(ANNA, FILE);
    ask(BEN, FILE);
    ask(CARA, FILE);
    clock.advance(Duration.ofSeconds(25));
    run(AcquireLease.exclusive(ANNA, FILE));
    clock.advance(Duration.ofSeconds(16));
    assertThat(ask(PLANNER, FILE)).isInstanceOf(Queued.class);
    assertThat(listed(view -> view.queue(FILE)))
        .extracting(LeaseWait::agent)
        .containsExactly(PLANNER);
  }

  @Test
  void aPlaceThatNobodyAsksForIsLost() {
    hold(ANNA, FILE);
    ask(BEN, FILE);
    clock.advance(Duration.ofSeconds(41));
    assertThat(ask(CARA, FILE).granted()).isPresent();
    assertThat(listed(view -> view.queue(FILE))).isEmpty();
    ask(BEN, FILE);
    assertThat(run(new LeaveQueue(BEN, FILE))).isTrue();
    assertThat(run(new LeaveQueue(BEN, FILE))).isFalse();
    assertThat(traces("lease_wait_left")).hasSize(1);
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
    refuses(AgentsErrorCode.LOCK_EXPIRED, () -> run(RenewLease.of(last)));
    assertThat(ask(BEN, FILE).granted()).isPresent();
  }

  @Test
  void aCircleOfWaitingIsRefusedAndNamed() {
    hold(ANNA, FILE);
    hold(BEN, OTHER_FILE);
    ask(ANNA, OTHER_FILE);
    assertThat(refuses(AgentsErrorCode.DEADLOCK, () -> ask(BEN, FILE)))
        .hasMessageContaining(
            "ben waits for file/src/Main.java, anna waits for file/src/Other.java");
    assertThat(listed(view -> view.queue(FILE))).isEmpty();
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
        .isInstanceOfSatisfying(Queued.class, it -> assertThat(it.behind()).containsExactly(BEN));
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
    run(AcquireLease.shared(ANNA, FILE).waiting());
    ask(BEN, FILE);
    ask(BEN, OTHER_FILE);
    refuses(AgentsErrorCode.DEADLOCK, () -> ask(ANNA, FILE));
    assertThat(run(new LeaveQueue(BEN, OTHER_FILE))).isTrue();
    assertThat(ask(ANNA, FILE))
        .isInstanceOfSatisfying(
            Queued.class, it -> assertThat(it.behind()).containsExactly(PLANNER, BEN));
  }

  @Test
  void whoWantsLessKeepsThePlace() {
    Lease held = hold(PLANNER, FILE);
    ask(ANNA, FILE);
    ask(BEN, FILE);
    assertThat(run(AcquireLease.shared(ANNA, FILE).waiting()))
        .isInstanceOfSatisfying(
            Queued.class, it -> assertThat(it.behind()).containsExactly(PLANNER));
    run(ReleaseLease.of(held));
    assertThat(run(AcquireLease.shared(ANNA, FILE)).granted()).isPresent();
    assertThat(ask(BEN, FILE).granted()).isEmpty();
  }

  @Test
  void whoWaitsGetsItWhenItIsGivenBack() throws Exception {
    Lease held = hold(ANNA, FILE);
    AcquireLease wish = AcquireLease.exclusive(BEN, FILE);
    assertThat(agents.await(SPACE, wish, Duration.ZERO).granted()).isEmpty();
    assertThat(run(new LeaveQueue(BEN, FILE))).isTrue();
    try (ExecutorService pool = threads()) {
      Future<Acquisition> waiting =
          pool.submit(() -> agents.await(SPACE, wish, Duration.ofSeconds(30)));
      while (listed(view -> view.queue(FILE)).isEmpty()) {
        Thread.onSpinWait();
      }
      run(ReleaseLease.of(held));
      assertThat(waiting.get().granted().orElseThrow().holder()).isEqualTo(BEN);
    }
    refuses(KernelErrorCode.INVALID_VALUE, () -> agents.await(SPACE, wish, Duration.ofMinutes(1)));
  }

  /** Who waits here looks again only when it is told to: by itself it would after hours. */
  private Agents patient() {
    AgentsConfig rules = config(AgentsConfig.starter());
    AgentsConfig.LeaseRules leases = rules.leases();
    return Agents.of(
        store,
        new AgentsConfig(
            rules.heartbeats(),
            new AgentsConfig.LeaseRules(
                leases.longest(),
                Duration.ofDays(1),
                leases.holders(),
                leases.queue(),
                leases.search(),
                leases.named()),
            rules.mail(),
            rules.work(),
            rules.tending(),
            new AgentsConfig.Awaiting(Duration.ofHours(1), 1)),
        new AgentsParts(clock, RuntimeConfig.starter(), memory, MemoryConfig.starter(), contexts));
  }

  /** Cara waits to share behind Ben, who waits for all of it, and is told when he goes. */
  private void isToldWhenBenGoes(Runnable going) throws Exception {
    Agents patient = patient();
    AcquireLease wish = AcquireLease.shared(CARA, FILE);
    try (ExecutorService pool = threads()) {
      Future<Acquisition> waiting =
          pool.submit(() -> patient.await(SPACE, wish, Duration.ofHours(1)));
      try {
        while (listed(view -> view.queue(FILE)).size() < 2) {
          Thread.onSpinWait();
        }
        going.run();
        assertThat(waiting.get(1, TimeUnit.MINUTES).granted().orElseThrow().holder())
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
    isToldWhenBenGoes(() -> run(new LeaveQueue(BEN, FILE)));
  }

  @Test
  @DisplayName("AGT-05: who waits goes on when the place of the one before it is lost")
  void whoWaitsIsToldThatAPlaceIsLost() throws Exception {
    run(AcquireLease.shared(ANNA, FILE).lasting(Duration.ofMinutes(2)));
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
    refuses(AgentsErrorCode.LOCK_EXPIRED, () -> run(RenewLease.of(held)));
    refuses(AgentsErrorCode.UNKNOWN_RECORD, () -> run(new RevokeLease(held.id(), "again")));
    assertThat(hold(BEN, FILE).token()).isGreaterThan(held.token());
  }

  @Test
  @DisplayName("AGT-02: a fence lets only its own holder write, and only one that acts")
  void writesAreTheHolders() {
    Fence fence = hold(ANNA, FILE).fence();
    refuses(AgentsErrorCode.NOT_REGISTERED, () -> agents.write(SPACE, NOBODY, fence, _ -> true));
    refuses(AgentsErrorCode.PERMISSION_DENIED, () -> agents.write(SPACE, BEN, fence, _ -> true));
    assertThat(agents.<Boolean>write(SPACE, ANNA, fence, _ -> true)).isTrue();
    run(new MoveAgent(ANNA, AgentStatus.Event.FAIL));
    refuses(AgentsErrorCode.AGENT_FAILED, () -> agents.write(SPACE, ANNA, fence, _ -> true));
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
        () -> run(AcquireLease.shared(ANNA, FILE).lasting(Duration.ofHours(1))));
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
                FencedStore.during(
                    SPACE,
                    fence::check,
                    () -> {
                      note(fenced, SPACE, "In time.");
                      clock.advance(LEASE);
                      note(fenced, elsewhere, "Elsewhere.");
                      FencedStore.freely(() -> note(fenced, SPACE, "Free."));
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
                    .granted()
                    .orElseThrow(),
                agents.run(
                    transaction, SendMessage.of(ANNA, Address.agent(BEN), Letter.of("done", "{}"))),
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
        .extracting(Change::table)
        .contains("lease", "message", "note", "checkpoint");
    assertThat(all.lease().token()).isEqualTo(commits.getFirst().sequence());
    clock.advance(LEASE);
    refuses(AgentsErrorCode.STALE_FENCE, () -> together(task, fence));
  }
}
