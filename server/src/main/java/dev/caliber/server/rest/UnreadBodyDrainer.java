package dev.caliber.server.rest;

import dev.caliber.kernel.DataSize;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A reader of refused bodies, so that clients that are still sending receive the answer. Closing a
 * connection with unread bytes discards the answer; therefore it is sent first, and then some of
 * the remaining body is read and discarded.
 */
final class UnreadBodyDrainer {
  private static final int CHUNK = 8192;

  /** The most that is read, as a multiple of the allowed size. */
  private static final int TIMES_BOUND = 2;

  private final long most;
  private final Duration longest;
  private final InstantSource clock;

  /** Creates a drainer with the allowed size of a body and the longest wait for a client. */
  UnreadBodyDrainer(DataSize body, Duration longest, InstantSource clock) {
    this.most = TIMES_BOUND * body.bytes();
    this.longest = longest;
    this.clock = clock;
  }

  /** Drains the body; called when an answer is ready and not sent yet. */
  void drainAfterRefusal(Context context) throws IOException {
    boolean refused = context.statusCode() >= HttpStatus.BAD_REQUEST.getCode();
    if (!refused || context.res().isCommitted() || !isClientSending(context.req())) {
      return;
    }
    context.res().setHeader("Connection", "close");
    InputStream answer = context.resultInputStream();
    if (answer != null) {
      answer.transferTo(context.res().getOutputStream());
    }
    context.res().flushBuffer();
    context.result(new byte[0]);
    drain(context.req().getInputStream());
  }

  /** Returns whether the client sends its body without waiting for {@code 100 Continue}. */
  private static boolean isClientSending(HttpServletRequest request) throws IOException {
    boolean hasBody =
        request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    return hasBody && request.getHeader("Expect") == null && !request.getInputStream().isFinished();
  }

  /** Reads and discards for a short time, because the client is not authenticated. */
  void drain(InputStream in) {
    byte[] chunk = new byte[CHUNK];
    Instant end = clock.instant().plus(longest);
    long left = most;
    try {
      int length = in.read(chunk);
      while (length >= 0 && left > 0 && clock.instant().isBefore(end)) {
        left -= length;
        length = in.read(chunk);
      }
    } catch (IOException _) {
      return; // the client has closed the connection or stopped sending
    }
  }
}
