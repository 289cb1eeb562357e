package dev.caliber.kernel.pack;

import java.util.List;

/**
 * Agent with all of its references resolved.
 *
 * @param knobs the state of its settings: those of the profile, and its overrides
 * @param adapter the adapter's name in the compiled configuration
 * @param tools the ids of all tools that it may call, each once, in the order of its toolsets
 */
public record PackAgent(
    String name,
    boolean enabled,
    String profile,
    ProfileSettings knobs,
    String adapter,
    int tokenBudget,
    List<String> toolsets,
    List<String> tools,
    String promptFile,
    PackPrompt prompt) {
  public PackAgent {
    toolsets = List.copyOf(toolsets);
    tools = List.copyOf(tools);
  }
}
