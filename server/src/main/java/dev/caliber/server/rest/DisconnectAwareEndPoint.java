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
 * A connection that detects whether its client has left while a request runs. Jetty does not read
 * in that time, and only a read shows the end: bytes read here are kept, and returned first when
 * Jetty reads again.
 */
final class DisconnectAwareEndPoint extends SocketChannelEndPoint {
  private static final int KEPT_BOUND = 16 << 10;

  private final Executor executor;

  @GuardedBy("this")
  private @Nullable ByteBuffer unread;

  DisconnectAwareEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key, Connector connector) {
    super(channel, selector, key, connector.getScheduler());
    this.executor = connector.getExecutor();
  }

  /** Returns whether the client can no longer receive an answer. */
  synchronized boolean isDisconnected() {
    if (!isOpen()) {
      return true;
    }
    if (unread == null) {
      unread = ByteBuffer.allocate(KEPT_BOUND);
    }
    try {
      return getChannel().read(unread) < 0;
    } catch (IOException _) {
      return true;
    }
  }

  private synchronized boolean hasBufferedBytes() {
    return unread != null && unread.position() > 0;
  }

  @Override
  public int fill(ByteBuffer buffer) throws IOException {
    return hasBufferedBytes() ? fillFromBuffer(buffer) : super.fill(buffer);
  }

  private synchronized int fillFromBuffer(ByteBuffer buffer) {
    ByteBuffer from = Objects.requireNonNull(unread).flip();
    int start = BufferUtil.flipToFill(buffer);
    int length = Math.min(from.remaining(), buffer.remaining());
    buffer.put(from.slice(from.position(), length));
    BufferUtil.flipToFlush(buffer, start);
    from.position(from.position() + length).compact();
    return length;
  }

  /** Makes kept bytes readable even if the socket has no new ones. */
  @Override
  protected void needsFillInterest() {
    if (hasBufferedBytes()) {
      executor.execute(() -> getFillInterest().fillable());
    } else {
      super.needsFillInterest();
    }
  }
}
