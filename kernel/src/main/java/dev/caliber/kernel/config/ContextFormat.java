package dev.caliber.kernel.config;

/** How a window is written down. */
public enum ContextFormat {
  XML,
  MARKDOWN,
  /** A JSON array of messages, as OpenAI's chat completions take it. */
  OPENAI,
  /** A JSON object of system text and messages, as Anthropic's messages take it. */
  ANTHROPIC,
  /**
   * Two messages in the shape of OpenAI's: the rules of trust, and what is known, item by item with
   * how far it is trusted.
   */
  TRUST
}
