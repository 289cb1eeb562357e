package dev.caliber.memory.deployment;

import dev.caliber.kernel.Transitions;

/** The life of one version of a configuration. Versions are never deleted. */
public enum ConfigStatus {
  /** Stored, and never used so far. */
  DEPLOYED,
  /** The one that the space runs on. */
  ACTIVE,
  /** Was active; it can be again, with the very same bytes. */
  RETIRED;

  /** What happens to a version. */
  public enum Event {
    /** It becomes the one that the space runs on, by an activation or a rollback. */
    ACTIVATE,
    /** Another version takes its place. */
    REPLACE
  }

  /** Every transition there is. */
  public static final Transitions<ConfigStatus, Event> TRANSITIONS =
      Transitions.<ConfigStatus, Event>from(DEPLOYED)
          .on(DEPLOYED, Event.ACTIVATE, ACTIVE)
          .on(ACTIVE, Event.REPLACE, RETIRED)
          .on(RETIRED, Event.ACTIVATE, ACTIVE)
          .build();

  ConfigStatus after(Event event) {
    return TRANSITIONS.next("configuration", this, event);
  }
}
