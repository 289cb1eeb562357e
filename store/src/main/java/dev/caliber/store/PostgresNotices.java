package dev.caliber.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
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
 * Tells other processes that a space has changed, and hears it from them. Notices go on connections
 * of their own, so that no commit waits for them; one that gets lost only costs time, because
 * followers also look by themselves.
 */
final class PostgresNotices implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresNotices.class);

  /** PostgreSQL takes less than 8,000 bytes; a space's name has at most 64. */
  private static final int SPACES_IN_ONE_NOTICE = 100;

  private static final int LISTEN_MILLIS_BOUND = 500;

  private final Supplier<Connection> connector;
  private final StoreConfig.Postgres config;
  private final EngineEvents events;
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

  private PostgresNotices(
      Supplier<Connection> connector, StoreConfig.Postgres config, EngineEvents events) {
    this.connector = connector;
    this.config = config;
    this.events = events;
    this.channel = config.schema() + "_changes";
    this.threads =
        List.of(
            Thread.ofPlatform().name("caliber-notices-out").daemon().unstarted(this::sendAll),
            Thread.ofPlatform().name("caliber-notices-in").daemon().unstarted(this::hearAll));
  }

  static PostgresNotices start(
      Supplier<Connection> connector, StoreConfig.Postgres config, EngineEvents events) {
    PostgresNotices notices = new PostgresNotices(connector, config, events);
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

  private void sendAll() {
    untilStopped(
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

  private void hearAll() {
    untilStopped(
        connection -> {
          PostgresSecurity.run(connection, "LISTEN " + channel);
          listening = connection; // before it is asked whether to stop: whoever stops it sees it
          PGConnection postgres = connection.unwrap(PGConnection.class);
          while (!isStopping()) {
            for (PGNotification notice : postgres.getNotifications(LISTEN_MILLIS_BOUND)) {
              if (notice.getPID() != ownProcess) {
                hear(notice.getParameter());
              }
            }
          }
        });
  }

  /** Anybody who may log in can send a notice, so what it says need not be a list of names. */
  private void hear(String names) {
    for (String name : names.split(",", -1)) {
      SpaceId space;
      try {
        space = new SpaceId(name);
      } catch (CaliberException _) {
        LOG.debug("A notice names no space");
        continue;
      }
      events.changed(space);
    }
  }

  private interface Conversation {
    void hold(Connection connection) throws SQLException;
  }

  /** Holds a conversation, over a new connection whenever the one before has broken. */
  private void untilStopped(Conversation conversation) {
    while (!isStopping()) {
      try (Connection connection = connector.get()) {
        conversation.hold(connection);
      } catch (SQLException | RuntimeException e) { // without notices, followers would be late
        if (!isStopping()) {
          LOG.debug("Notices are interrupted", e);
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
    threads.forEach(Outcomes::join);
  }

  /** Who listens does not look up before its time; without its connection it does. */
  private void stopListening() {
    Connection connection = listening;
    if (connection != null) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        LOG.debug("Listening ends by itself", e);
      }
    }
  }
}
