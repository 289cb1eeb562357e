package dev.caliber.kernel.pack;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A registered tool, described as the Model Context Protocol does.
 *
 * @param id {@code tools.group.name}
 * @param file the prompt, or the program, in the pack; wherever the pack is run, of all its files
 *     only programs are executable
 * @param inputSchema what a call has to bring
 * @param outputSchema the contract of its result
 */
public record PackTool(
    String id,
    Kind kind,
    String file,
    Optional<String> description,
    Optional<Long> timeoutMs,
    Optional<ResultFormat> resultFormat,
    Capabilities capabilities,
    JsonNode inputSchema,
    Optional<JsonNode> outputSchema,
    Optional<PackPrompt> prompt) {
  public PackTool {
    /* An absent tree is read as one that says null. */
    outputSchema = outputSchema.filter(schema -> !schema.isNull() && !schema.isMissingNode());
  }

  /** What does the work. */
  public enum Kind {
    EXEC,
    PROMPT
  }

  /** What a result is written in. */
  public enum ResultFormat {
    TEXT,
    JSON,
    XML
  }

  /** What a tool may do; what is not allowed is forbidden. */
  public record Capabilities(boolean network, boolean fs, boolean subprocess) {}
}
