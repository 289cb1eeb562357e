package dev.caliber.server.rest;

import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;

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

  /** With the most bytes that a body may have. */
  Lingering(long body) {
    this.most = TIMES_BOUND * body;
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

  private void readOn(ServletInputStream in) {
    byte[] chunk = new byte[CHUNK];
    long left = most;
    try {
      for (int length = in.read(chunk); length >= 0 && left > 0; length = in.read(chunk)) {
        left -= length;
      }
    } catch (IOException _) {
      return; // it has gone, or has fallen silent
    }
  }
}
