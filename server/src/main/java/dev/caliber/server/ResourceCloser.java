package dev.caliber.server;

import dev.caliber.server.operation.FailureText;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A closer of several resources that tries each of them, whatever the others throw. */
final class ResourceCloser {
  private static final Logger LOG = LoggerFactory.getLogger(ResourceCloser.class);

  private ResourceCloser() {}

  static void closeAll(Deque<AutoCloseable> parts) {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      } catch (Exception e) {
        LOG.warn(
            "Closing a part of the server failed; the other parts are closed all the same. Cause: {}",
            FailureText.describe(e));
      }
    }
  }
}
