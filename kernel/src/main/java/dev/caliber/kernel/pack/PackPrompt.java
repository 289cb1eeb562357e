package dev.caliber.kernel.pack;

import java.util.List;
import java.util.Optional;

/**
 * Prompt as written in its Markdown. References and inputs are kept as text, {@code ${INPUT:name}}.
 *
 * @param context the query of its {@code cal.context} block
 * @param inputs the names of its inputs, each once
 */
public record PackPrompt(
    List<PackPromptSection> sections,
    List<ToolInvocation> invocations,
    Optional<String> context,
    List<String> inputs) {
  public PackPrompt {
    sections = List.copyOf(sections);
    invocations = List.copyOf(invocations);
    inputs = List.copyOf(inputs);
  }

  /** Section of the prompt; the prompt of a tool is one body. */
  public record PackPromptSection(PackPromptSectionKind kind, String text) {}

  /** Role in which a section is sent. */
  public enum PackPromptSectionKind {
    BODY,
    SYSTEM,
    PCP,
    USER
  }

  /**
   * Tool that is called before the prompt is sent.
   *
   * @param section the position of its section in the list; empty when it is for all of them
   */
  public record ToolInvocation(
      String tool, PayloadFormat format, String payload, Optional<Integer> section) {}

  /** Notation of a payload. */
  public enum PayloadFormat {
    JSON,
    XML
  }
}
