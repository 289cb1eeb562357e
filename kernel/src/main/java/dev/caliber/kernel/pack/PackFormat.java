package dev.caliber.kernel.pack;

import java.util.Optional;

/** Text format of a context: a built-in one, with texts before and after it. */
public record PackFormat(
    String name, BaseFormat base, Optional<String> header, Optional<String> footer) {

  /** Built-in formats of the runtime; each is also a format under its name in lower case. */
  public enum BaseFormat {
    XML,
    JSON,
    MARKDOWN
  }
}
