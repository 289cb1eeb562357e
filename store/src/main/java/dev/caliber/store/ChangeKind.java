package dev.caliber.store;

/** What a commit did to one record. */
public enum ChangeKind {
  CREATED,
  UPDATED,
  DELETED
}
