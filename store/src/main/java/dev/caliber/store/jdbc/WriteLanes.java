package dev.caliber.store.jdbc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreException;
import dev.caliber.store.Transaction;
import dev.caliber.store.UninterruptibleWait;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.DatabaseTask;
import dev.caliber.store.jdbc.sql.Engine;
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
 * Queue before the store's writer threads. Writes of one lane (the whole store on SQLite, one space
 * on PostgreSQL) take turns: while a group is being flushed the next one gathers, so that under
 * load one flush serves many.
 */
final class WriteLanes implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WriteLanes.class);

  private final Engine engine;
  private final Function<DatabaseSession, WriterContext> contexts;
  private final WriterRowCache rowCache;
  private final Consumer<List<Commit>> committed;
  private final StoreConfig.WriteSettings limits;
  private final List<Thread> threads = new ArrayList<>();

  /* One lock guards all of the queue; it is held for a few instructions at a time. */
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();

  @GuardedBy("lock")
  private final Map<Object, WriteLane> lanes = new HashMap<>();

  @GuardedBy("lock")
  private final Deque<WriteLane> ready = new ArrayDeque<>();

  @GuardedBy("lock")
  private final Deque<QueuedTask> queuedTasks = new ArrayDeque<>();

  @GuardedBy("lock")
  private int pending;

  @GuardedBy("lock")
  private boolean closing;

  private record WriteLane(Object name, Deque<PendingWrite<?>> queue) {}

  private record QueuedTask(
      Optional<SpaceId> space, DatabaseTask task, CompletableFuture<Boolean> done) {}

  /** Next task of a writer thread: a group of one lane's writes, or maintenance. */
  private record WriterAssignment(
      Optional<WriteLane> lane, List<PendingWrite<?>> group, Optional<QueuedTask> task) {}

  WriteLanes(
      Engine engine,
      StoreConfig.WriteSettings limits,
      WriterRowCache known,
      Function<DatabaseSession, WriterContext> turns,
      Consumer<List<Commit>> committed) {
    this.engine = engine;
    this.limits = limits;
    this.rowCache = known;
    this.contexts = turns;
    this.committed = committed;
  }

  void start() {
    for (int i = 0; i < engine.writerCount(); i++) {
      threads.add(Thread.ofPlatform().name("caliber-writer-" + i).daemon().start(this::runWriter));
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
            "The write was refused, because %d writes are waiting already".formatted(pending),
            "store.writes.queue-limit");
      }
      pending++;
      Object name = engine.lane(space);
      WriteLane writeLane = lanes.get(name);
      if (writeLane == null) {
        writeLane = new WriteLane(name, new ArrayDeque<>());
        lanes.put(name, writeLane);
        ready.add(writeLane);
        work.signal();
      }
      writeLane.queue.add(write);
    } finally {
      lock.unlock();
    }
    return UninterruptibleWait.await(write.outcome());
  }

  /** Runs a task on a writer's session, between two groups. */
  void runBetweenWrites(DatabaseTask task) {
    enqueueAndAwait(new QueuedTask(Optional.empty(), task, new CompletableFuture<>()));
  }

  /** Runs a task as one transaction in a space, between two groups. */
  void runBetweenWrites(SpaceId space, DatabaseTask task) {
    enqueueAndAwait(new QueuedTask(Optional.of(space), task, new CompletableFuture<>()));
  }

  private void enqueueAndAwait(QueuedTask waiting) {
    requireOtherThread();
    lock.lock();
    try {
      requireOpen();
      if (queuedTasks.size() >= limits.queueLimit()) {
        throw StoreException.busy(
            "The task was refused, because %d tasks are waiting already"
                .formatted(queuedTasks.size()),
            "store.writes.queue-limit");
      }
      queuedTasks.add(waiting);
      work.signal();
    } finally {
      lock.unlock();
    }
    UninterruptibleWait.await(waiting.done);
  }

  /** Refuses a call from a writer thread: it would wait for its own write turn for ever. */
  private void requireOtherThread() {
    if (threads.contains(Thread.currentThread())) {
      throw StoreException.nestedCall();
    }
  }

  @GuardedBy("lock")
  private void requireOpen() {
    if (closing) {
      throw StoreException.closed();
    }
  }

  private void runWriter() {
    try (WriterSession own = new WriterSession(engine, rowCache)) {
      WriterAssignment next = awaitAssignment();
      while (next != null) {
        runAssignment(next, own);
        next = awaitAssignment();
      }
    } catch (RuntimeException e) {
      LOG.error("A writer thread ended after an unexpected error", e);
    }
  }

  private void runAssignment(WriterAssignment next, WriterSession own) {
    if (next.task.isPresent()) {
      runQueuedTask(next.task.get(), own);
      return;
    }
    try {
      DatabaseSession databaseSession = own.beginGroup(next.group.getFirst().space());
      committed.accept(new GroupCommit(contexts.apply(databaseSession), engine).run(next.group));
      next.group.forEach(PendingWrite::completeAfterCommit);
    } catch (Throwable e) {
      next.group.forEach(write -> rowCache.invalidate(write.space()));
      own.rollbackQuietly(e);
      next.group.forEach(write -> write.completeWithFailure(e));
    } finally {
      releaseLane(next);
    }
  }

  private void runQueuedTask(QueuedTask queuedTask, WriterSession own) {
    try {
      DatabaseSession databaseSession = queuedTask.space.map(own::begin).orElseGet(own::session);
      if (queuedTask.space.isEmpty()) {
        rowCache.clear(); // the task may be an import
      }
      try {
        queuedTask.task.run(databaseSession);
        if (queuedTask.space.isPresent()) {
          databaseSession.commit();
        }
        queuedTask.done.complete(true);
      } catch (SQLException e) {
        throw databaseSession.dialect().translate("Upkeep", e);
      }
    } catch (Throwable e) {
      own.rollbackQuietly(e);
      queuedTask.done.completeExceptionally(e);
    }
  }

  /** Waits for work; returns null when the store is closing and nothing is left. */
  private @Nullable WriterAssignment awaitAssignment() {
    lock.lock();
    try {
      while (ready.isEmpty() && queuedTasks.isEmpty()) {
        if (closing) {
          return null;
        }
        work.awaitUninterruptibly();
      }
      if (!queuedTasks.isEmpty()) {
        return new WriterAssignment(Optional.empty(), List.of(), Optional.of(queuedTasks.remove()));
      }
      WriteLane writeLane = ready.remove();
      List<PendingWrite<?>> group = new ArrayList<>();
      while (group.size() < limits.groupLimit() && !writeLane.queue.isEmpty()) {
        group.add(writeLane.queue.remove());
      }
      return new WriterAssignment(Optional.of(writeLane), group, Optional.empty());
    } finally {
      lock.unlock();
    }
  }

  private void releaseLane(WriterAssignment finished) {
    lock.lock();
    try {
      pending -= finished.group.size();
      WriteLane writeLane = finished.lane.orElseThrow();
      if (writeLane.queue.isEmpty()) {
        lanes.remove(writeLane.name);
      } else {
        ready.add(writeLane);
        work.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Finishes the accepted writes; refuses all later ones. */
  @Override
  public void close() {
    lock.lock();
    try {
      closing = true;
      work.signalAll();
    } finally {
      lock.unlock();
    }
    threads.forEach(UninterruptibleWait::join);
  }
}
