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
 * A connection that ends when the head of a request takes too long. The first head has its time
 * from the connection on, so that a client that says nothing and a handshake of TLS that does not
 * end are bounded, too; a later head has it from its first byte. The library's own limit is on
 * silence: a byte now and then keeps it off.
 */
final class TimedConnection extends HttpConnection implements ConnectionPlaces.Place {
  private final SocketAddress client;
  private final Duration longest;
  private final ConnectionPlaces places;
  private final Object guard = new Object();

  @GuardedBy("guard")
  private Scheduler.@Nullable Task deadline;

  @GuardedBy("guard")
  private boolean asked;

  private TimedConnection(
      HttpConfiguration config,
      Connector connector,
      EndPoint endPoint,
      Duration longest,
      ConnectionPlaces places) {
    super(config, connector, endPoint);
    this.client = endPoint.getRemoteSocketAddress();
    this.longest = longest;
    this.places = places;
  }

  /** Makes connections that share their places. */
  static final class Factory extends HttpConnectionFactory {
    private final Duration longest;
    private final ConnectionPlaces places;

    Factory(HttpConfiguration config, Duration longest, ConnectionPlaces places) {
      super(config);
      this.longest = longest;
      this.places = places;
    }

    @Override
    public org.eclipse.jetty.io.Connection newConnection(Connector connector, EndPoint endPoint) {
      TimedConnection made =
          new TimedConnection(getHttpConfiguration(), connector, endPoint, longest, places);
      made.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
      return configure(made, connector, endPoint);
    }
  }

  @Override
  public SocketAddress client() {
    return client; // a closed socket does not know it any more
  }

  @Override
  public void end() {
    getEndPoint().close();
  }

  @Override
  public void onOpen() {
    begin();
    places.open(this);
    super.onOpen();
  }

  @Override
  public void onClose(@Nullable Throwable cause) {
    finish();
    places.close(this);
    super.onClose(cause);
  }

  @Override
  public void onFillable() {
    begin();
    super.onFillable();
  }

  /** It waits for bytes: for the rest of a head, or for the next request. */
  @Override
  public void fillInterested() {
    places.await(this);
    if (getParser().isStart()) {
      rest();
    }
    super.fillInterested();
  }

  @Override
  protected RequestHandler newRequestHandler() {
    return new RequestHandler() {
      @Override
      public boolean headerComplete() {
        finish();
        places.work(TimedConnection.this);
        return super.headerComplete();
      }
    };
  }

  private void begin() {
    synchronized (guard) {
      if (deadline == null) {
        deadline =
            getConnector()
                .getScheduler()
                .schedule(this::expire, longest.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  /** Nothing of a request is there; before the first one that counts as its head. */
  private void rest() {
    synchronized (guard) {
      if (asked) {
        cancel();
      }
    }
  }

  private void finish() {
    synchronized (guard) {
      asked = true;
      cancel();
    }
  }

  @GuardedBy("guard")
  private void cancel() {
    if (deadline != null) {
      deadline.cancel();
      deadline = null;
    }
  }

  /** A client that has sent something is told why; where nothing came, nothing is said. */
  private void expire() {
    synchronized (guard) {
      if (deadline == null) {
        return;
      }
    }
    if (getParser().isStart()) {
      end();
      return;
    }
    ByteBuffer answer = ByteBuffer.wrap(RefusedRequests.headTooSlow());
    getEndPoint().write(Callback.from(this::end), answer);
  }
}
