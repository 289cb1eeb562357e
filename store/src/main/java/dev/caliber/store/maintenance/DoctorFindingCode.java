package dev.caliber.store.maintenance;

/** Kinds of problems that the doctor can find. */
public enum DoctorFindingCode {
  /** The engine's own check of its file or indexes failed. */
  ENGINE_DAMAGED,
  /** A row does not match its checksum. */
  ROW_DAMAGED,
  /** A body cannot be parsed as its record. */
  BODY_UNREADABLE,
  /** A column or key differs from the body. */
  COLUMN_MISMATCH,
  /** A row's revision or space does not belong to any commit. */
  REVISION_UNKNOWN,
  /** A declared index is missing or not valid. */
  INDEX_MISSING,
  /** An index does not contain the rows that the table holds. */
  INDEX_MISMATCH,
  /** A commit between the oldest and the last one is missing from the feed. */
  FEED_GAP,
  /** The feed does not end with the last commit of its space. */
  FEED_HEAD_MISMATCH,
  /** An entry of the feed cannot be read. */
  FEED_UNREADABLE,
  /** A follower has acknowledged a commit that does not exist. */
  FOLLOWER_AHEAD,
  /** A follower stopped at an earlier epoch and will have to rebuild. */
  FOLLOWER_STALE,
  /** A setting under which commits can get lost. */
  UNSAFE_SETTING,
  /** Other users of the machine may read the store's files. */
  FILE_PERMISSIONS_TOO_OPEN,
  /** The engine does not keep spaces apart. */
  ROW_SECURITY_INSUFFICIENT,
  /** The disk is nearly full. */
  LOW_DISK_SPACE,
  /** Jobs are dead. */
  DEAD_JOBS,
  /** A check could not be run. */
  CHECK_FAILED
}
