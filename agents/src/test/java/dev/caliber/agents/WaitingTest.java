package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Limit;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Transaction;
import dev.caliber.testkit.Engines;
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

/** Who waits for whom, when many do. */
final class WaitingTest extends AgentsFixture {
  private static final Limit MOST = new Limit("agents.leases.search", 10_000);
  private static final int PAGE = 500;
  private static final int MANY = 400;
  private static final int CHAIN = 3000;
  private static final List<AgentId> ALL = List.of(PLANNER, ANNA, BEN, CARA);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
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
        LeaseWait.TABLE,
        new LeaseWait(
            transaction.newId(),
            resource,
            agent,
            LeaseMode.EXCLUSIVE,
            place,
            transaction.now(),
            transaction.now().plus(Duration.ofMinutes(1))));
  }

  private Optional<List<Waiting.Wish>> cycle(Snapshot snapshot, AgentId agent, Resource wanted) {
    return new Waiting(new Rows(snapshot, PAGE), clock.instant())
        .cycle(new Waiting.Wish(agent, wanted, LeaseMode.EXCLUSIVE), MOST);
  }

  @Test
  @DisplayName("a search among many who wait reads each of them once")
  void searchesReadEachOnce() {
    store.write(
        SPACE,
        transaction -> {
          holds(transaction, ANNA, FILE);
          for (int i = 0; i < MANY; i++) {
            holds(transaction, agent(i), resource(i));
            waits(transaction, agent(i), FILE, i);
          }
          holds(transaction, BEN, OTHER_FILE);
          return true;
        });
    AtomicInteger scans = new AtomicInteger();
    Optional<List<Waiting.Wish>> found =
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
    store.write(
        SPACE,
        transaction -> {
          holds(transaction, ANNA, FILE);
          for (int i = 0; i < MANY; i++) {
            waits(transaction, agent(i), FILE, i);
          }
          return true;
        });
    for (LeaseMode mode : LeaseMode.values()) {
      AtomicInteger scans = new AtomicInteger();
      AtomicInteger read = new AtomicInteger();
      Waiting.Wish wish = new Waiting.Wish(agent(MANY - 1), FILE, mode);
      Line line =
          store.read(
              SPACE,
              snapshot ->
                  Line.of(new Rows(new CountingSnapshot(snapshot, scans, read), PAGE), wish, 5));
      assertThat(line.before()).hasSizeGreaterThan(5).startsWith(ANNA, agent(0), agent(1));
      assertThat(line.kept()).isPresent();
      assertThat(scans.get()).isLessThan(5);
      assertThat(read.get()).isLessThan(20);
    }
  }

  @Test
  @DisplayName("how things stand is told in as much as there are waiters, however long their line")
  void standingGrowsWithTheLine() {
    store.write(
        SPACE,
        transaction -> {
          holds(transaction, ANNA, FILE);
          for (int i = 0; i < MANY; i++) {
            waits(transaction, agent(i), FILE, i);
          }
          return true;
        });
    AtomicInteger scans = new AtomicInteger();
    AtomicInteger read = new AtomicInteger();
    Standing standing =
        store.read(
            SPACE,
            snapshot ->
                AgentsView.of(new CountingSnapshot(snapshot, scans, read), AgentsConfig.starter())
                    .standing(clock.instant()));
    assertThat(standing.waiters()).hasSize(MANY);
    assertThat(read.get()).as("each is read once, and once in its line").isLessThan(3 * MANY);
    assertThat(scans.get()).isLessThan(MANY / 10);
    assertThat(waiter(standing, 2))
        .isEqualTo(
            new Standing.Waiter(
                agent(2), FILE, List.of(ANNA, agent(0), agent(1)), clock.instant(), false));
    assertThat(waiter(standing, MANY - 1))
        .isEqualTo(
            new Standing.Waiter(
                agent(MANY - 1),
                FILE,
                List.of(ANNA, agent(0), agent(1), agent(2), agent(3)),
                clock.instant(),
                true));
  }

  private static Standing.Waiter waiter(Standing standing, int number) {
    return standing.waiters().stream()
        .filter(waiter -> waiter.agent().equals(agent(number)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("those whose time is over take no room, wherever they stand in the line")
  void endedPlacesTakeNoRoom() {
    AgentsConfig.LeaseRules rules = AgentsConfig.starter().leases();
    Agents narrow =
        Agents.of(
            store,
            AgentsConfig.starter()
                .withLeases(
                    new AgentsConfig.LeaseRules(
                        rules.longest(), rules.place(), rules.holders(), 10, rules.search(), 1)),
            new AgentsParts(
                clock, RuntimeConfig.starter(), memory, MemoryConfig.starter(), contexts));
    await(FILE, 5, 10);
    clock.advance(Duration.ofSeconds(50));
    await(FILE, 0, 5);
    clock.advance(Duration.ofSeconds(20));
    narrow.run(SPACE, AcquireLease.exclusive(BEN, FILE).waiting());
    assertThat(listed(view -> view.queue(FILE)))
        .extracting(LeaseWait::agent)
        .containsExactly(agent(0), agent(1), agent(2), agent(3), agent(4), BEN);
  }

  private void await(Resource resource, int first, int end) {
    store.write(
        SPACE,
        transaction -> {
          for (int i = first; i < end; i++) {
            waits(transaction, agent(i), resource, i);
          }
          return true;
        });
  }

  @Test
  @DisplayName("a long chain of waiting is followed to its end, up to the written limit")
  void longChains() {
    for (int part = 0; part < CHAIN; part += CHAIN / 2) {
      int first = part;
      store.write(
          SPACE,
          transaction -> {
            for (int i = first; i < first + CHAIN / 2; i++) {
              holds(transaction, agent(i), resource(i));
              if (i > 0) {
                waits(transaction, agent(i), resource(i - 1), 1);
              }
            }
            return true;
          });
    }
    Optional<List<Waiting.Wish>> found =
        store.read(SPACE, snapshot -> cycle(snapshot, agent(0), resource(CHAIN - 1)));
    assertThat(found.orElseThrow()).hasSize(CHAIN);
    assertThatThrownBy(
            () ->
                store.read(
                    SPACE,
                    snapshot ->
                        new Waiting(new Rows(snapshot, PAGE), clock.instant())
                            .cycle(
                                new Waiting.Wish(
                                    agent(0), resource(CHAIN - 1), LeaseMode.EXCLUSIVE),
                                new Limit("agents.leases.search", 100))))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("agents.leases.search");
  }

  @Test
  @DisplayName("whatever is asked, in whatever mode, nobody ever waits in a circle")
  void waitingIsNeverCircular() {
    int refused = 0;
    int changed = 0;
    Chance chance = Chance.seeded(SEED);
    for (int step = 0; step < 600; step++) {
      AgentId agent = ALL.get(chance.nextInt(ALL.size()));
      Resource wanted = resource(chance.nextInt(3));
      LeaseMode mode = chance.nextInt(2) == 0 ? LeaseMode.SHARED : LeaseMode.EXCLUSIVE;
      if (chance.nextInt(5) == 0) {
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
    return listed(view -> view.queue(wanted)).stream()
        .anyMatch(wait -> wait.agent().equals(agent) && wait.mode() != mode);
  }

  /** Everyone who waits for themselves, by following everybody from everybody. */
  private List<AgentId> circular() {
    Standing standing = agents.view(SPACE, view -> view.standing(clock.instant()));
    return ALL.stream().filter(agent -> reached(standing, agent).contains(agent)).toList();
  }

  /** For whom everybody waits, as it is told. */
  private Map<String, List<AgentId>> told() {
    return agents.view(SPACE, view -> view.standing(clock.instant())).waiters().stream()
        .collect(
            Collectors.toMap(
                waiter -> "%s waits for %s".formatted(waiter.agent(), waiter.resource()),
                Standing.Waiter::behind));
  }

  /** The same, found by looking at all who are there. */
  private Map<String, List<AgentId>> followed() {
    return store.read(
        SPACE,
        snapshot -> {
          Waiting waiting = new Waiting(new Rows(snapshot, PAGE), clock.instant());
          return snapshot.scan(Query.over(LeaseWait.TABLE), PAGE).records().stream()
              .map(Waiting.Wish::of)
              .collect(Collectors.toMap(Waiting.Wish::toString, waiting::before));
        });
  }

  private static Set<AgentId> reached(Standing standing, AgentId from) {
    Set<AgentId> reached = new HashSet<>();
    List<AgentId> next = behind(standing, from);
    while (!next.isEmpty()) {
      next = next.stream().filter(reached::add).flatMap(a -> behind(standing, a).stream()).toList();
    }
    return reached;
  }

  private static List<AgentId> behind(Standing standing, AgentId agent) {
    return standing.waiters().stream()
        .filter(waiter -> waiter.agent().equals(agent))
        .flatMap(waiter -> waiter.behind().stream())
        .toList();
  }
}
