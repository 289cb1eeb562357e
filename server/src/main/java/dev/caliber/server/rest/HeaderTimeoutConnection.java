package dev.caliber.server.rest;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A connection that closes if the head of a request takes too long. The time of the first head
 * begins with the connection, which also bounds silent clients and unfinished TLS handshakes; the
 * time of a later head begins with its first byte. Jetty's own limit is on silence only, and a byte
 * now and then resets it.
 */
final class HeaderTimeoutConnection extends HttpConnection
    implements ConnectionTracker.TrackedConnection {
  private final SocketAddress client;
  private final Duration longest;
  private final ConnectionTracker places;
  private final Object guard = new Object();

  @GuardedBy("guard")
  private Scheduler.@Nullable Task deadline;

  @GuardedBy("guard")
  private boolean asked;

  private HeaderTimeoutConnection(
      HttpConfiguration config,
      Connector connector,
      EndPoint endPoint,
      Duration longest,
      ConnectionTracker places) {
    super(config, connector, endPoint);
    this.client = endPoint.getRemoteSocketAddress();
    this.longest = longest;
    this.places = places;
  }

  /** A factory of connections that share one tracker. */
  static final class HeaderTimeoutConnectionFactory extends HttpConnectionFactory {
    private final Duration longest;
    private final ConnectionTracker places;

    HeaderTimeoutConnectionFactory(
        HttpConfiguration config, Duration longest, ConnectionTracker places) {
      super(config);
      this.longest = longest;
      this.places = places;
    }

    @Override
    public org.eclipse.jetty.io.Connection newConnection(Connector connector, EndPoint endPoint) {
      HeaderTimeoutConnection made =
          new HeaderTimeoutConnection(getHttpConfiguration(), connector, endPoint, longest, places);
      made.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
      return configure(made, connector, endPoint);
    }
  }

  @Override
  public SocketAddress remoteAddress() {
    return client; // a closed socket has no address any more
  }

  @Override
  public void endConnection() {
    getEndPoint().close();
  }

  @Override
  public void onOpen() {
    startDeadline();
    places.addConnection(this);
    super.onOpen();
  }

  @Override
  public void onClose(@Nullable Throwable cause) {
    finishHead();
    places.removeConnection(this);
    super.onClose(cause);
  }

  @Override
  public void onFillable() {
    startDeadline();
    super.onFillable();
  }

  /** Starts the wait for bytes: for the rest of a head, or for the next request. */
  @Override
  public void fillInterested() {
    places.markIdle(this);
    if (getParser().isStart()) {
      cancelDeadlineIfIdle();
    }
    super.fillInterested();
  }

  @Override
  protected RequestHandler newRequestHandler() {
    return new RequestHandler() {
      @Override
      public boolean headerComplete() {
        finishHead();
        places.markBusy(HeaderTimeoutConnection.this);
        return super.headerComplete();
      }
    };
  }

  private void startDeadline() {
    synchronized (guard) {
      if (deadline == null) {
        deadline =
            getConnector()
                .getScheduler()
                .schedule(this::expireDeadline, longest.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  /** Cancels the deadline between requests; the first request keeps the one of the connection. */
  private void cancelDeadlineIfIdle() {
    synchronized (guard) {
      if (asked) {
        cancelDeadline();
      }
    }
  }

  private void finishHead() {
    synchronized (guard) {
      asked = true;
      cancelDeadline();
    }
  }

  @GuardedBy("guard")
  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel();
      deadline = null;
    }
  }

  /** Closes the connection; a client that has sent bytes gets an answer first. */
  private void expireDeadline() {
    synchronized (guard) {
      if (deadline == null) {
        return;
      }
    }
    if (getParser().isStart()) {
      endConnection();
      return;
    }
    ByteBuffer answer = ByteBuffer.wrap(JettyErrorHandler.slowHeadResponse());
    getEndPoint().write(Callback.from(this::endConnection), answer);
  }
}
