package dev.caliber.kernel.pack;

import java.util.Optional;

/** A way to write a context: a built-in one, with texts before and after it. */
public record PackFormat(String name, Base base, Optional<String> header, Optional<String> footer) {

  /** The formats that the runtime has; each has its name in lower case as a format of its own. */
  public enum Base {
    XML,
    JSON,
    MARKDOWN
  }
}
