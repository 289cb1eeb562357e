package dev.caliber.agents.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.AgentsDependencies;
import dev.caliber.agents.AgentsView;
import dev.caliber.agents.CoordinationStatus;
import dev.caliber.agents.CountingSnapshot;
import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.ReleaseLease;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentsErrorCode;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.AgentsFixture;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Limit;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Transaction;
import dev.caliber.testkit.TestEngines;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Wait-for graph of many agents. */
final class WaitingTest extends AgentsFixture {
  private static final Limit MOST = new Limit("agents.leases.deadlock-search-limit", 10_000);
  private static final int PAGE = 500;
  private static final int MANY = 400;
  private static final int CHAIN = 3000;
  private static final List<AgentId> ALL = List.of(PLANNER, ANNA, BEN, CARA);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }

  private static AgentId agent(int number) {
    return new AgentId("agent-" + number);
  }

  private static Resource resource(int number) {
    return new Resource("file", "f" + number);
  }

  private static void holds(Transaction transaction, AgentId agent, Resource resource) {
    transaction.put(
        Lease.TABLE,
        new Lease(
            transaction.newId(),
            resource,
            agent,
            LeaseMode.EXCLUSIVE,
            transaction.revision(),
            transaction.now(),
            transaction.now().plus(Duration.ofMinutes(1))));
  }

  private static void waits(Transaction transaction, AgentId agent, Resource resource, int place) {
    transaction.put(
        LeaseQueueEntry.TABLE,
        new LeaseQueueEntry(
            transaction.newId(),
            resource,
            agent,
            LeaseMode.EXCLUSIVE,
            place,
            transaction.now(),
            transaction.now().plus(Duration.ofMinutes(1))));
  }

  private Optional<List<LeaseRequest>> cycle(Snapshot snapshot, AgentId agent, Resource wanted) {
    return new WaitForGraph(snapshot, clock.instant())
        .findCycle(new LeaseRequest(agent, wanted, LeaseMode.EXCLUSIVE), MOST);
  }

  @Test
  @DisplayName("a search among many who wait reads each of them once")
  void searchesReadEachOnce() {
    store.commit(
        SPACE,
        transaction -> {
          holds(transaction, ANNA, FILE);
          for (int i = 0; i < MANY; i++) {
            holds(transaction, agent(i), resource(i));
            waits(transaction, agent(i), FILE, i);
          }
          holds(transaction, BEN, OTHER_FILE);
        });
    AtomicInteger scans = new AtomicInteger();
    Optional<List<LeaseRequest>> found =
        store.read(SPACE, snapshot -> cycle(new CountingSnapshot(snapshot, scans), BEN, FILE));
    assertThat(found).isEmpty();
    assertThat(scans.get()).isGreaterThan(MANY).isLessThan(2 * MANY);
    scans.set(0);
    store.read(SPACE, snapshot -> cycle(new CountingSnapshot(snapshot, scans), CARA, FILE));
    assertThat(scans.get()).as("who holds nothing closes no circle").isLessThan(4);
  }

  @Test
  @DisplayName("an ask reads the front of the line and its own place, however long the line is")
  void asksReadTheFront() {
    store.commit(
        SPACE,
        transaction -> {
          holds(transaction, ANNA, FILE);
          for (int i = 0; i < MANY; i++) {
            waits(transaction, agent(i), FILE, i);
          }
        });
    for (LeaseMode mode : LeaseMode.values()) {
      AtomicInteger scans = new AtomicInteger();
      AtomicInteger read = new AtomicInteger();
      LeaseRequest leaseRequest = new LeaseRequest(agent(MANY - 1), FILE, mode);
      LeaseQueueFront leaseQueueFront =
          store.read(
              SPACE,
              snapshot ->
                  LeaseQueueFront.of(new CountingSnapshot(snapshot, scans, read), leaseRequest, 5));
      assertThat(leaseQueueFront.blockingAgents())
          .hasSizeGreaterThan(5)
          .startsWith(ANNA, agent(0), agent(1));
      assertThat(leaseQueueFront.reusableEntry()).isPresent();
      assertThat(scans.get()).isLessThan(5);
      assertThat(read.get()).isLessThan(20);
    }
  }

  @Test
  @DisplayName("how things stand is told in as much as there are waiters, however long their line")
  void standingGrowsWithTheLine() {
    store.commit(
        SPACE,
        transaction -> {
          holds(transaction, ANNA, FILE);
          for (int i = 0; i < MANY; i++) {
            waits(transaction, agent(i), FILE, i);
          }
        });
    AtomicInteger scans = new AtomicInteger();
    AtomicInteger read = new AtomicInteger();
    CoordinationStatus coordinationStatus =
        store.read(
            SPACE,
            snapshot ->
                AgentsView.of(new CountingSnapshot(snapshot, scans, read), AgentsConfig.starter())
                    .coordinationStatus(clock.instant()));
    assertThat(coordinationStatus.waiters()).hasSize(MANY);
    assertThat(read.get()).as("each is read once, and once in its line").isLessThan(3 * MANY);
    assertThat(scans.get()).isLessThan(MANY / 10);
    assertThat(waiter(coordinationStatus, 2))
        .isEqualTo(
            new CoordinationStatus.LeaseWaiter(
                agent(2), FILE, List.of(ANNA, agent(0), agent(1)), clock.instant(), false));
    assertThat(waiter(coordinationStatus, MANY - 1))
        .isEqualTo(
            new CoordinationStatus.LeaseWaiter(
                agent(MANY - 1),
                FILE,
                List.of(ANNA, agent(0), agent(1), agent(2), agent(3)),
                clock.instant(),
                true));
  }

  private static CoordinationStatus.LeaseWaiter waiter(
      CoordinationStatus coordinationStatus, int number) {
    return coordinationStatus.waiters().stream()
        .filter(leaseWaiter -> leaseWaiter.agent().equals(agent(number)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("those whose time is over take no room, wherever they stand in the line")
  void endedPlacesTakeNoRoom() {
    Agents narrow =
        Agents.of(
            store,
            AgentsConfig.starter()
                .with(
                    "agents.leases.max-queue-length = 10", "agents.leases.agents-ahead-limit = 1"),
            new AgentsDependencies(
                clock, RuntimeConfig.starter(), memory, MemoryConfig.starter(), contexts));
    await(FILE, 5, 10);
    clock.advance(Duration.ofSeconds(50));
    await(FILE, 0, 5);
    clock.advance(Duration.ofSeconds(20));
    narrow.run(SPACE, AcquireLease.exclusive(BEN, FILE).withQueueing());
    assertThat(listed(view -> view.leaseQueue(FILE)))
        .extracting(LeaseQueueEntry::agent)
        .containsExactly(agent(0), agent(1), agent(2), agent(3), agent(4), BEN);
  }

  private void await(Resource resource, int first, int end) {
    store.commit(
        SPACE,
        transaction -> {
          for (int i = first; i < end; i++) {
            waits(transaction, agent(i), resource, i);
          }
        });
  }

  @Test
  @DisplayName("a long chain of waiting is followed to its end, up to the written limit")
  void longChains() {
    for (int part = 0; part < CHAIN; part += CHAIN / 2) {
      int first = part;
      store.commit(
          SPACE,
          transaction -> {
            for (int i = first; i < first + CHAIN / 2; i++) {
              holds(transaction, agent(i), resource(i));
              if (i > 0) {
                waits(transaction, agent(i), resource(i - 1), 1);
              }
            }
          });
    }
    Optional<List<LeaseRequest>> found =
        store.read(SPACE, snapshot -> cycle(snapshot, agent(0), resource(CHAIN - 1)));
    assertThat(found.orElseThrow()).hasSize(CHAIN);
    assertThatThrownBy(
            () ->
                store.read(
                    SPACE,
                    snapshot ->
                        new WaitForGraph(snapshot, clock.instant())
                            .findCycle(
                                new LeaseRequest(
                                    agent(0), resource(CHAIN - 1), LeaseMode.EXCLUSIVE),
                                new Limit("agents.leases.deadlock-search-limit", 100))))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("agents.leases.deadlock-search-limit");
  }

  @Test
  @DisplayName("no sequence of requests in any mode ever closes a cycle of waiting")
  void waitingIsNeverCircular() {
    int refused = 0;
    int changed = 0;
    RandomSource randomSource = RandomSource.seeded(SEED);
    for (int step = 0; step < 600; step++) {
      AgentId agent = ALL.get(randomSource.nextInt(ALL.size()));
      Resource wanted = resource(randomSource.nextInt(3));
      LeaseMode mode = randomSource.nextInt(2) == 0 ? LeaseMode.SHARED : LeaseMode.EXCLUSIVE;
      if (randomSource.nextInt(5) == 0) {
        listed(view -> view.leasesOf(agent)).forEach(lease -> run(ReleaseLease.of(lease)));
      } else {
        changed += isAnotherMode(agent, wanted, mode) ? 1 : 0;
        try {
          run(new AcquireLease(agent, wanted, mode, Optional.empty(), true));
        } catch (AgentsException e) {
          assertThat(e.code()).isEqualTo(AgentsErrorCode.DEADLOCK);
          refused++;
        }
      }
      assertThat(circular()).as("after step %d of seed %d", step, SEED).isEmpty();
      assertThat(told()).as("after step %d of seed %d", step, SEED).isEqualTo(followed());
    }
    assertThat(refused).isPositive();
    assertThat(changed).isPositive();
  }

  private boolean isAnotherMode(AgentId agent, Resource wanted, LeaseMode mode) {
    return listed(view -> view.leaseQueue(wanted)).stream()
        .anyMatch(wait -> wait.agent().equals(agent) && wait.mode() != mode);
  }

  /** Returns the agents in a cycle, by a search from each agent. */
  private List<AgentId> circular() {
    CoordinationStatus coordinationStatus =
        agents.view(SPACE, view -> view.coordinationStatus(clock.instant()));
    return ALL.stream()
        .filter(agent -> reached(coordinationStatus, agent).contains(agent))
        .toList();
  }

  /** Returns the blocking agents of each agent, as the status lists them. */
  private Map<String, List<AgentId>> told() {
    return agents.view(SPACE, view -> view.coordinationStatus(clock.instant())).waiters().stream()
        .collect(
            Collectors.toMap(
                leaseWaiter ->
                    "%s waits for %s".formatted(leaseWaiter.agent(), leaseWaiter.resource()),
                CoordinationStatus.LeaseWaiter::behind));
  }

  /** Returns the blocking agents of each agent, from all rows. */
  private Map<String, List<AgentId>> followed() {
    return store.read(
        SPACE,
        snapshot -> {
          WaitForGraph waitForGraph = new WaitForGraph(snapshot, clock.instant());
          return snapshot.scan(Query.over(LeaseQueueEntry.TABLE), PAGE).records().stream()
              .map(LeaseRequest::of)
              .collect(Collectors.toMap(LeaseRequest::toString, waitForGraph::blockingAgents));
        });
  }

  private static Set<AgentId> reached(CoordinationStatus coordinationStatus, AgentId from) {
    Set<AgentId> reached = new HashSet<>();
    List<AgentId> next = behind(coordinationStatus, from);
    while (!next.isEmpty()) {
      next =
          next.stream()
              .filter(reached::add)
              .flatMap(a -> behind(coordinationStatus, a).stream())
              .toList();
    }
    return reached;
  }

  private static List<AgentId> behind(CoordinationStatus coordinationStatus, AgentId agent) {
    return coordinationStatus.waiters().stream()
        .filter(leaseWaiter -> leaseWaiter.agent().equals(agent))
        .flatMap(leaseWaiter -> leaseWaiter.behind().stream())
        .toList();
  }
}
