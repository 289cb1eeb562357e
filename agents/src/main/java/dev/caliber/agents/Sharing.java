package dev.caliber.agents;

/** How much of its context crosses with a task. */
public enum Sharing {
  /** The whole snapshot and what is named. */
  WHOLE_CONTEXT,
  /** What is named, and nothing else. */
  NEED_TO_KNOW
}
