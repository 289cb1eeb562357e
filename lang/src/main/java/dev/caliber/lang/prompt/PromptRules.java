package dev.caliber.lang.prompt;

/**
 * Strictness of reading a prompt, set by the pack. Secrets, registrations of tools, malformed
 * references and calls that do not pair up are errors in any case.
 *
 * @param strictMarkdown whether only the headings and fences of the contract are allowed; otherwise
 *     others are text, and no heading is required
 * @param strictRefs whether every value in a fenced block has to be a reference
 */
public record PromptRules(PromptKind kind, boolean strictMarkdown, boolean strictRefs) {
  /** Returns the rules of the full contract. */
  public static PromptRules strict(PromptKind kind) {
    return new PromptRules(kind, true, true);
  }

  /** Returns whether headings divide the prompt into sections. */
  boolean hasSections() {
    return kind == PromptKind.AGENT;
  }

  /** Returns whether only the headings of the contract are allowed, in its order. */
  boolean hasStrictHeadings() {
    return hasSections() && strictMarkdown;
  }
}
