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
 * Lets whoever is refused while still sending read why. A connection that is closed with bytes in
 * it that nobody has read takes its answer along; so the answer goes out first, and then some of
 * what still comes is thrown away.
 */
final class Lingering {
  private static final int CHUNK = 8192;

  /** Who sends more than so many times what is allowed may lose the answer. */
  private static final int TIMES_BOUND = 2;

  private final long most;
  private final Duration longest;
  private final InstantSource clock;

  /** With the most bytes that a body may have, and how long a client is waited for. */
  Lingering(DataSize body, Duration longest, InstantSource clock) {
    this.most = TIMES_BOUND * body.bytes();
    this.longest = longest;
    this.clock = clock;
  }

  /** To be called when an answer is there and not sent yet. */
  void after(Context context) throws IOException {
    boolean refused = context.statusCode() >= HttpStatus.BAD_REQUEST.getCode();
    if (!refused || context.res().isCommitted() || !isSending(context.req())) {
      return;
    }
    context.res().setHeader("Connection", "close");
    InputStream answer = context.resultInputStream();
    if (answer != null) {
      answer.transferTo(context.res().getOutputStream());
    }
    context.res().flushBuffer();
    context.result(new byte[0]);
    readOn(context.req().getInputStream());
  }

  /** Not who waits to be told to. */
  private static boolean isSending(HttpServletRequest request) throws IOException {
    boolean hasBody =
        request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    return hasBody && request.getHeader("Expect") == null && !request.getInputStream().isFinished();
  }

  /** Not for long: nobody has asked yet who it is. */
  void readOn(InputStream in) {
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
      return; // it has gone, or has fallen silent
    }
  }
}
