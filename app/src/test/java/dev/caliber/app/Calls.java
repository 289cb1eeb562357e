package dev.caliber.app;

import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A server as its clients see it: an operation is done, it is refused, or its answer is lost. */
@NullMarked
interface Calls extends AutoCloseable {

  /** Done once however often it is asked with this key. */
  JsonNode ask(String operation, ObjectNode input, String key) throws Lost;

  @Override
  void close();

  /** Nobody knows whether it was done. */
  final class Lost extends Exception {
    private static final long serialVersionUID = 1;

    Lost(Throwable cause) {
      super(cause);
    }
  }

  /** Nothing was done, and the server says why. */
  final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final String BEGINNING = "CALIBER_[A-Z]+_";

    private final String code;

    Refused(String code, Throwable cause) {
      super(code, cause);
      this.code = code.replaceFirst(BEGINNING, "");
    }

    /** Without its family. */
    String code() {
      return code;
    }
  }
}
