package dev.caliber.kernel.config;

/** Purpose of a memory, which also determines how long its records tend to be kept. */
public enum MemoryType {
  /** Deleted with its session or scope. */
  EPHEMERAL,
  /** Present work; bounded. */
  WORKING,
  /** Events, by time. */
  EPISODIC,
  /** Knowledge, by entity; kept long. */
  SEMANTIC,
  /** Procedures; rarely deleted. */
  PROCEDURAL,
  /** Memory about memory. */
  META
}
