package dev.caliber.server.rest;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.util.BufferUtil;
import org.jspecify.annotations.Nullable;

/**
 * A connection that can be asked whether its client has left, while a request of it is worked on.
 * The library reads nothing in that time, so that the only way to see the end is to read: what
 * comes before the end is kept, and read first when the library reads again.
 */
final class WatchedEndPoint extends SocketChannelEndPoint {
  private static final int KEPT_BOUND = 16 << 10;

  private final Executor executor;

  @GuardedBy("this")
  private @Nullable ByteBuffer kept;

  WatchedEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key, Connector connector) {
    super(channel, selector, key, connector.getScheduler());
    this.executor = connector.getExecutor();
  }

  /** Whether no answer can reach the client any more. */
  synchronized boolean isLeft() {
    if (!isOpen()) {
      return true;
    }
    if (kept == null) {
      kept = ByteBuffer.allocate(KEPT_BOUND);
    }
    try {
      return getChannel().read(kept) < 0;
    } catch (IOException _) {
      return true;
    }
  }

  private synchronized boolean hasKept() {
    return kept != null && kept.position() > 0;
  }

  @Override
  public int fill(ByteBuffer buffer) throws IOException {
    return hasKept() ? fillKept(buffer) : super.fill(buffer);
  }

  private synchronized int fillKept(ByteBuffer buffer) {
    ByteBuffer from = Objects.requireNonNull(kept).flip();
    int start = BufferUtil.flipToFill(buffer);
    int length = Math.min(from.remaining(), buffer.remaining());
    buffer.put(from.slice(from.position(), length));
    BufferUtil.flipToFlush(buffer, start);
    from.position(from.position() + length).compact();
    return length;
  }

  /** What is kept is there to be read, although the socket has nothing new. */
  @Override
  protected void needsFillInterest() {
    if (hasKept()) {
      executor.execute(() -> getFillInterest().fillable());
    } else {
      super.needsFillInterest();
    }
  }
}
