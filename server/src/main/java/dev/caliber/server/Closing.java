package dev.caliber.server;

import dev.caliber.server.operation.FailureText;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes many things, whatever each of them says. */
final class Closing {
  private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

  private Closing() {}

  static void all(Deque<AutoCloseable> parts) {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      } catch (Exception e) {
        LOG.warn("A part did not close as it should: {}", FailureText.of(e));
      }
    }
  }
}
