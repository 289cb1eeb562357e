package dev.caliber.store.jdbc.postgres;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.UninterruptibleWait;
import dev.caliber.store.jdbc.sql.EngineListener;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifications between processes that a space has changed. They are sent on connections of their
 * own, so that no commit waits for them. A lost one only costs time, because followers also poll.
 */
final class PostgresNotifications implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresNotifications.class);

  /**
   * Number of spaces in one notification: PostgreSQL takes less than 8,000 bytes, and a space's
   * name has at most 64.
   */
  private static final int SPACES_IN_ONE_NOTICE = 100;

  private static final int LISTEN_MILLIS_BOUND = 500;

  private final Supplier<Connection> connector;
  private final StoreConfig.PostgresSettings config;
  private final EngineListener events;
  private final String channel;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Thread> threads;

  @GuardedBy("lock")
  private final Set<SpaceId> unsent = new LinkedHashSet<>();

  @GuardedBy("lock")
  private boolean stopping;

  private volatile int ownProcess;
  private volatile @Nullable Connection listening;

  private PostgresNotifications(
      Supplier<Connection> connector, StoreConfig.PostgresSettings config, EngineListener events) {
    this.connector = connector;
    this.config = config;
    this.events = events;
    this.channel = config.schema() + "_changes";
    this.threads =
        List.of(
            Thread.ofPlatform().name("caliber-notices-out").daemon().unstarted(this::runSender),
            Thread.ofPlatform().name("caliber-notices-in").daemon().unstarted(this::runListener));
  }

  static PostgresNotifications start(
      Supplier<Connection> connector, StoreConfig.PostgresSettings config, EngineListener events) {
    PostgresNotifications notices = new PostgresNotifications(connector, config, events);
    notices.threads.forEach(Thread::start);
    return notices;
  }

  void send(SpaceId space) {
    lock.lock();
    try {
      unsent.add(space);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void runSender() {
    runUntilStopped(
        connection -> {
          ownProcess = connection.unwrap(PGConnection.class).getBackendPID();
          try (PreparedStatement notify = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
            while (awaitUnsent()) {
              notify.setString(1, channel);
              notify.setString(2, String.join(",", takeUnsent()));
              notify.execute();
              pause();
            }
          }
        });
  }

  private void runListener() {
    runUntilStopped(
        connection -> {
          PostgresSecurity.execute(connection, "LISTEN " + channel);
          listening =
              connection; // set before the stop flag is read, so that a stopping thread sees it
          PGConnection postgres = connection.unwrap(PGConnection.class);
          while (!isStopping()) {
            for (PGNotification notice : postgres.getNotifications(LISTEN_MILLIS_BOUND)) {
              if (notice.getPID() != ownProcess) {
                handleNotification(notice.getParameter());
              }
            }
          }
        });
  }

  /**
   * Handles a notification. Any user who may log in can send one, so its text need not be a list of
   * names.
   */
  private void handleNotification(String names) {
    for (String name : names.split(",", -1)) {
      SpaceId space;
      try {
        space = new SpaceId(name);
      } catch (CaliberException _) {
        LOG.debug("A notification does not contain the name of a space");
        continue;
      }
      events.spaceChanged(space);
    }
  }

  private interface ConnectionTask {
    void run(Connection connection) throws SQLException;
  }

  /** Runs the task, with a new connection whenever the previous one has failed. */
  private void runUntilStopped(ConnectionTask connectionTask) {
    while (!isStopping()) {
      try (Connection connection = connector.get()) {
        connectionTask.run(connection);
      } catch (SQLException
          | RuntimeException e) { // without notifications, followers would be late
        if (!isStopping()) {
          LOG.debug("Notifications are interrupted", e);
          awaitStop(LISTEN_MILLIS_BOUND);
        }
      }
    }
  }

  private boolean awaitUnsent() {
    lock.lock();
    try {
      while (unsent.isEmpty() && !stopping) {
        changed.awaitUninterruptibly();
      }
      return !stopping;
    } finally {
      lock.unlock();
    }
  }

  private List<String> takeUnsent() {
    lock.lock();
    try {
      List<SpaceId> taken = unsent.stream().limit(SPACES_IN_ONE_NOTICE).toList();
      taken.forEach(unsent::remove);
      return taken.stream().map(SpaceId::value).toList();
    } finally {
      lock.unlock();
    }
  }

  private void pause() {
    awaitStop(config.notifyInterval().toMillis());
  }

  private void awaitStop(long millis) {
    lock.lock();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
      while (!stopping && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      stopping = true;
    } finally {
      lock.unlock();
    }
  }

  private boolean isStopping() {
    lock.lock();
    try {
      return stopping;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      stopping = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    stopListening();
    threads.forEach(UninterruptibleWait::join);
  }

  /**
   * Aborts the listening connection. The listening thread would otherwise return only at its
   * timeout.
   */
  private void stopListening() {
    Connection connection = listening;
    if (connection != null) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        LOG.debug("The listening connection could not be aborted", e);
      }
    }
  }
}
