package dev.caliber.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.SpaceId;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue before the store's writer threads. Writes of one lane (the whole store on SQLite, one
 * space on PostgreSQL) take turns: while a group is being flushed the next one gathers, so that
 * under load one flush serves many.
 */
final class WriteLanes implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WriteLanes.class);

  private final Engine engine;
  private final Function<Session, WriteTurn> turns;
  private final KnownRows known;
  private final Consumer<List<Commit>> committed;
  private final StoreConfig.Writes limits;
  private final List<Thread> threads = new ArrayList<>();

  /* One lock guards all of the queue; it is held for a few instructions at a time. */
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();

  @GuardedBy("lock")
  private final Map<Object, Lane> lanes = new HashMap<>();

  @GuardedBy("lock")
  private final Deque<Lane> ready = new ArrayDeque<>();

  @GuardedBy("lock")
  private final Deque<Upkeep> upkeep = new ArrayDeque<>();

  @GuardedBy("lock")
  private int pending;

  @GuardedBy("lock")
  private boolean closing;

  private record Lane(Object name, Deque<PendingWrite<?>> queue) {}

  private record Upkeep(
      Optional<SpaceId> space, SessionTask task, CompletableFuture<Boolean> done) {}

  /** What a writer thread does next: a group of one lane's writes, or upkeep. */
  private record Assignment(
      Optional<Lane> lane, List<PendingWrite<?>> group, Optional<Upkeep> task) {}

  WriteLanes(
      Engine engine,
      StoreConfig.Writes limits,
      KnownRows known,
      Function<Session, WriteTurn> turns,
      Consumer<List<Commit>> committed) {
    this.engine = engine;
    this.limits = limits;
    this.known = known;
    this.turns = turns;
    this.committed = committed;
  }

  void start() {
    for (int i = 0; i < engine.writers(); i++) {
      threads.add(Thread.ofPlatform().name("caliber-writer-" + i).daemon().start(this::serve));
    }
  }

  <T> T write(SpaceId space, Function<Transaction, T> body) {
    requireOtherThread();
    PendingWrite<T> write = new PendingWrite<>(space, body);
    lock.lock();
    try {
      requireOpen();
      if (pending >= limits.queueLimit()) {
        throw StoreException.busy(
            "%d writes are waiting already".formatted(pending), "store.writes.queue-limit");
      }
      pending++;
      Object name = engine.lane(space);
      Lane lane = lanes.get(name);
      if (lane == null) {
        lane = new Lane(name, new ArrayDeque<>());
        lanes.put(name, lane);
        ready.add(lane);
        work.signal();
      }
      lane.queue.add(write);
    } finally {
      lock.unlock();
    }
    return Outcomes.await(write.outcome());
  }

  /** Runs a task on a writer's session, between two groups. */
  void betweenWrites(SessionTask task) {
    await(new Upkeep(Optional.empty(), task, new CompletableFuture<>()));
  }

  /** Runs a task as one transaction in a space, between two groups. */
  void betweenWrites(SpaceId space, SessionTask task) {
    await(new Upkeep(Optional.of(space), task, new CompletableFuture<>()));
  }

  private void await(Upkeep waiting) {
    requireOtherThread();
    lock.lock();
    try {
      requireOpen();
      if (upkeep.size() >= limits.queueLimit()) {
        throw StoreException.busy(
            "%d tasks are waiting already".formatted(upkeep.size()), "store.writes.queue-limit");
      }
      upkeep.add(waiting);
      work.signal();
    } finally {
      lock.unlock();
    }
    Outcomes.await(waiting.done);
  }

  /** A writer that waited for its own turn, in a write or in a listener, would wait for ever. */
  private void requireOtherThread() {
    if (threads.contains(Thread.currentThread())) {
      throw StoreException.nested();
    }
  }

  @GuardedBy("lock")
  private void requireOpen() {
    if (closing) {
      throw StoreException.closed();
    }
  }

  private void serve() {
    try (WriterSession own = new WriterSession(engine, known)) {
      Assignment next = take();
      while (next != null) {
        perform(next, own);
        next = take();
      }
    } catch (RuntimeException e) {
      LOG.error("A writer thread ended", e);
    }
  }

  private void perform(Assignment next, WriterSession own) {
    if (next.task.isPresent()) {
      runUpkeep(next.task.get(), own);
      return;
    }
    try {
      Session session = own.beginTurn(next.group.getFirst().space());
      committed.accept(new GroupCommit(turns.apply(session), engine).run(next.group));
      next.group.forEach(PendingWrite::complete);
    } catch (Throwable e) {
      next.group.forEach(write -> known.doubt(write.space()));
      own.rollbackQuietly(e);
      next.group.forEach(write -> write.abandon(e));
    } finally {
      giveBack(next);
    }
  }

  private void runUpkeep(Upkeep upkeep, WriterSession own) {
    try {
      Session session = upkeep.space.map(own::begin).orElseGet(own::session);
      if (upkeep.space.isEmpty()) {
        known.clear(); // it may be an import
      }
      try {
        upkeep.task.run(session);
        if (upkeep.space.isPresent()) {
          session.commit();
        }
        upkeep.done.complete(true);
      } catch (SQLException e) {
        throw session.dialect().translate("Upkeep", e);
      }
    } catch (Throwable e) {
      own.rollbackQuietly(e);
      upkeep.done.completeExceptionally(e);
    }
  }

  /** Waits for work; null when the store is closing and nothing is left. */
  private @Nullable Assignment take() {
    lock.lock();
    try {
      while (ready.isEmpty() && upkeep.isEmpty()) {
        if (closing) {
          return null;
        }
        work.awaitUninterruptibly();
      }
      if (!upkeep.isEmpty()) {
        return new Assignment(Optional.empty(), List.of(), Optional.of(upkeep.remove()));
      }
      Lane lane = ready.remove();
      List<PendingWrite<?>> group = new ArrayList<>();
      while (group.size() < limits.groupMax() && !lane.queue.isEmpty()) {
        group.add(lane.queue.remove());
      }
      return new Assignment(Optional.of(lane), group, Optional.empty());
    } finally {
      lock.unlock();
    }
  }

  private void giveBack(Assignment finished) {
    lock.lock();
    try {
      pending -= finished.group.size();
      Lane lane = finished.lane.orElseThrow();
      if (lane.queue.isEmpty()) {
        lanes.remove(lane.name);
      } else {
        ready.add(lane);
        work.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Finishes what was accepted; refuses everything from here on. */
  @Override
  public void close() {
    lock.lock();
    try {
      closing = true;
      work.signalAll();
    } finally {
      lock.unlock();
    }
    threads.forEach(Outcomes::join);
  }
}
