package dev.caliber.store;

/** Kind of change that a commit made to one record. */
public enum ChangeKind {
  CREATED,
  UPDATED,
  DELETED
}
