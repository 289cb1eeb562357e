package dev.caliber.lang.prompt;

/** Whose prompt a file is. */
public enum PromptKind {
  /** An agent's: it has the headings System, PCP and User. */
  AGENT,
  /** A tool's: it has whatever headings its writer likes. */
  TOOL
}
