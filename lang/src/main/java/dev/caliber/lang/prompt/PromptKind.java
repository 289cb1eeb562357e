package dev.caliber.lang.prompt;

/** The kind of a prompt: an agent's or a tool's. */
public enum PromptKind {
  /** An agent's prompt, with the headings System, PCP and User. */
  AGENT,
  /** A tool's prompt, with any headings. */
  TOOL
}
