package dev.caliber.store.jdbc.sql;

/** Purpose of a session, which decides the rows that it may see and whether it may write. */
public enum DatabaseRole {
  /** Writes, one space at a time. */
  WRITER,
  /** Reads, one space at a time. */
  READER,
  /** Sees and writes all spaces: backup, import, doctor. */
  KEEPER,
  /** Owns the tables: lays them out. */
  OWNER
}
