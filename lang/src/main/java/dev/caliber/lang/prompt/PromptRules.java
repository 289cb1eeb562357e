package dev.caliber.lang.prompt;

/**
 * How strictly a prompt is read; a pack decides. Secrets, registrations of tools, malformed
 * references and calls that do not pair up are errors in any case.
 *
 * @param strictMarkdown whether only the headings and fences of the contract may stand; otherwise
 *     others are text, and no heading is required
 * @param strictRefs whether every value in a fenced block has to be a reference
 */
public record PromptRules(PromptKind kind, boolean strictMarkdown, boolean strictRefs) {
  /** Everything that the contract asks for. */
  public static PromptRules strict(PromptKind kind) {
    return new PromptRules(kind, true, true);
  }

  /** Whether headings cut the prompt into sections. */
  boolean sections() {
    return kind == PromptKind.AGENT;
  }

  /** Whether those of the contract are the only headings, in its order. */
  boolean strictHeadings() {
    return sections() && strictMarkdown;
  }
}
