package dev.caliber.kernel.pack;

import java.util.List;
import java.util.Optional;

/**
 * A prompt as its Markdown says it. References and inputs stay as they are written, {@code
 * ${INPUT:name}}.
 *
 * @param context the query of its {@code cal.context} block
 * @param inputs the names of its inputs, each once
 */
public record PackPrompt(
    List<Section> sections,
    List<Invocation> invocations,
    Optional<String> context,
    List<String> inputs) {
  public PackPrompt {
    sections = List.copyOf(sections);
    invocations = List.copyOf(invocations);
    inputs = List.copyOf(inputs);
  }

  /** A part of the prompt; the prompt of a tool is one body. */
  public record Section(Kind kind, String text) {}

  /** Whose words a section is. */
  public enum Kind {
    BODY,
    SYSTEM,
    PCP,
    USER
  }

  /**
   * A tool that is called before the prompt is sent.
   *
   * @param section the place of its section in the list; none when it is for all of them
   */
  public record Invocation(
      String tool, PayloadFormat format, String payload, Optional<Integer> section) {}

  /** What a payload is written in. */
  public enum PayloadFormat {
    JSON,
    XML
  }
}
