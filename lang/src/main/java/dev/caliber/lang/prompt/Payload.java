package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.Span;
import java.util.List;

/** The arguments of a tool call, before its references have values. */
public record Payload(PayloadNotation format, Template template) {
  private static final String NOTHING = "{}";

  /** The notation of a payload. */
  public enum PayloadNotation {
    JSON,
    XML
  }

  /** Returns the payload of a call that has none. */
  static Payload none(Span tool) {
    return new Payload(PayloadNotation.JSON, new Template(NOTHING, tool.endPoint(), List.of()));
  }
}
