package dev.caliber.app;

import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A server as its clients see it: an operation succeeds, is refused, or its answer is lost. */
@NullMarked
interface Calls extends AutoCloseable {

  /** Runs the operation once, however often it is called with this key. */
  JsonNode ask(String operation, ObjectNode input, String key) throws Lost;

  @Override
  void close();

  /** The answer was lost, so the caller does not know whether the operation ran. */
  final class Lost extends Exception {
    private static final long serialVersionUID = 1;

    Lost(Throwable cause) {
      super(cause);
    }
  }

  /** The server refused the operation and gave a reason; nothing was done. */
  final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final String BEGINNING = "CALIBER_[A-Z]+_";

    private final String code;

    Refused(String code, Throwable cause) {
      super(code, cause);
      this.code = code.replaceFirst(BEGINNING, "");
    }

    /** Returns the code without its family. */
    String code() {
      return code;
    }
  }
}
