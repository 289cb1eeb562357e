package dev.caliber.kernel.config;

/** What a memory is for, which is also how long its records tend to live. */
public enum MemoryType {
  /** Dies with its session or scope. */
  EPHEMERAL,
  /** What is being worked on; bounded. */
  WORKING,
  /** What happened, by time. */
  EPISODIC,
  /** What is known, by entity; lives long. */
  SEMANTIC,
  /** How something is done; rarely deleted. */
  PROCEDURAL,
  /** Memory about memory. */
  META
}
