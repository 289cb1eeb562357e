package dev.caliber.agents.delegation;

/** Extent of the context that is shared with a task. */
public enum ContextSharing {
  /** The whole snapshot and the named records. */
  WHOLE_CONTEXT,
  /** The named records only. */
  NEED_TO_KNOW
}
