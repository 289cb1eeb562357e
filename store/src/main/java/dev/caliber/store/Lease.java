package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.sql.SQLException;

/** A reading session for the time of one read. */
final class Lease implements AutoCloseable {

  private final Sessions sessions;
  private Session session;

  Lease(Sessions sessions, Session session) {
    this.sessions = sessions;
    this.session = session;
  }

  Session session() {
    return session;
  }

  /** Begins a read; connections that have died since their last use are replaced. */
  Session begin(SpaceId space) throws SQLException {
    while (true) {
      try {
        session.beginRead(space);
        return session;
      } catch (SQLException e) {
        if (session.isUsable() || session.isFresh()) {
          throw e;
        }
        Sessions.closeQuietly(session);
        session = sessions.take();
      }
    }
  }

  @Override
  public void close() {
    sessions.giveBack(session);
  }
}
