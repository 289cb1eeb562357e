package dev.caliber.store;

/** What the doctor can find. */
public enum FindingCode {
  /** The engine's own check of its file or indexes failed. */
  ENGINE_DAMAGED,
  /** A row does not match its checksum. */
  ROW_DAMAGED,
  /** A body does not read as its record. */
  BODY_UNREADABLE,
  /** A column or key differs from what the body says. */
  COLUMN_WRONG,
  /** A row's revision or space is not that of any commit. */
  REVISION_UNKNOWN,
  /** A declared index is not there, or not valid. */
  INDEX_MISSING,
  /** An index does not show the rows that the table holds. */
  INDEX_WRONG,
  /** A commit between the oldest and the last one is not in the feed. */
  FEED_GAP,
  /** The feed does not end with the last commit of its space. */
  FEED_HEAD_WRONG,
  /** An entry of the feed cannot be read. */
  FEED_UNREADABLE,
  /** A follower claims to have seen what was not committed. */
  FOLLOWER_AHEAD,
  /** A follower stopped at an earlier epoch and will have to rebuild. */
  FOLLOWER_STALE,
  /** A setting under which commits can get lost. */
  SETTING_UNSAFE,
  /** Other users of the machine may read the store's files. */
  FILES_EXPOSED,
  /** Spaces are not kept apart by the engine. */
  ISOLATION_BROKEN,
  /** The disk is nearly full. */
  DISK_LOW,
  /** Jobs were given up. */
  JOBS_DEAD,
  /** A check could not be made. */
  CHECK_FAILED
}
