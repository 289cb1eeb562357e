package dev.caliber.kernel.config;

/** Text format of a window. */
public enum ContextFormat {
  XML,
  MARKDOWN,
  /** JSON array of messages, as OpenAI's chat completions take it. */
  OPENAI,
  /** JSON object of system text and messages, as Anthropic's messages take it. */
  ANTHROPIC,
  /**
   * Two messages in the shape of OpenAI's: the rules of trust, and the known items, each with how
   * far it is trusted.
   */
  TRUST
}
