package dev.caliber.kernel.pack;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Registered tool, described as the Model Context Protocol does.
 *
 * @param id {@code tools.group.name}
 * @param file the prompt, or the program, in the pack; wherever the pack is run, of all its files
 *     only programs are executable
 * @param inputSchema the arguments of a call
 * @param outputSchema the contract of its result
 */
public record PackTool(
    String id,
    ToolKind kind,
    String file,
    Optional<String> description,
    Optional<Long> timeoutMs,
    Optional<ResultFormat> resultFormat,
    ToolCapabilities capabilities,
    JsonNode inputSchema,
    Optional<JsonNode> outputSchema,
    Optional<PackPrompt> prompt) {
  public PackTool {
    /* An absent tree is read as a null node. */
    outputSchema = outputSchema.filter(schema -> !schema.isNull() && !schema.isMissingNode());
  }

  /** Implementation of a tool. */
  public enum ToolKind {
    EXEC,
    PROMPT
  }

  /** Notation of a result. */
  public enum ResultFormat {
    TEXT,
    JSON,
    XML
  }

  /** Permissions of a tool; all others are denied. */
  public record ToolCapabilities(boolean network, boolean fs, boolean subprocess) {}
}
