package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A writer thread's own session, opened on first use and replaced when it has broken. */
final class WriterSession implements AutoCloseable {

  private final Engine engine;
  private final KnownRows known;
  private @Nullable Session session;

  WriterSession(Engine engine, KnownRows known) {
    this.engine = engine;
    this.known = known;
  }

  Session session() {
    Session current = session;
    if (current != null && current.isUsable()) {
      return current;
    }
    if (current != null) {
      known.clear(); // the server may have lost commits with the line, and counted on from there
    }
    close();
    current = engine.open(SessionRole.WRITER);
    session = current;
    return current;
  }

  /** Begins a transaction of the store's own. */
  Session begin(SpaceId space) {
    return begun(session -> session.beginWrite(space));
  }

  /** Begins a group of writes. */
  Session beginTurn(SpaceId space) {
    return begun(session -> session.beginTurn(space));
  }

  /** A connection that has died since its last use is replaced once. */
  private Session begun(SessionTask beginning) {
    Session current = session();
    try {
      beginning.run(current);
      return current;
    } catch (SQLException e) {
      if (current.isUsable()) {
        throw current.dialect().translate("Beginning a write", e);
      }
    }
    Session fresh = session();
    try {
      beginning.run(fresh);
      return fresh;
    } catch (SQLException e) {
      throw fresh.dialect().translate("Beginning a write", e);
    }
  }

  void rollbackQuietly(Throwable failure) {
    if (session != null) {
      try {
        session.rollback();
      } catch (SQLException e) {
        failure.addSuppressed(e);
      }
    }
  }

  @Override
  public void close() {
    if (session != null) {
      Sessions.closeQuietly(session);
      session = null;
    }
  }
}
