package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.Span;
import java.util.List;

/** What a tool is called with, before its references have values. */
public record Payload(Format format, Template template) {
  private static final String NOTHING = "{}";

  /** How a payload is written. */
  public enum Format {
    JSON,
    XML
  }

  /** The payload of a call that has none. */
  static Payload none(Span tool) {
    return new Payload(Format.JSON, new Template(NOTHING, tool.after(), List.of()));
  }
}
