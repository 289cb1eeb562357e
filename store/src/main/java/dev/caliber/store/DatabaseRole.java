package dev.caliber.store;

/** Purpose of a session, which decides the rows that it may see and whether it may write. */
enum DatabaseRole {
  /** Writes, one space at a time. */
  WRITER,
  /** Reads, one space at a time. */
  READER,
  /** Sees and writes all spaces: backup, import, doctor. */
  KEEPER,
  /** Owns the tables: lays them out. */
  OWNER
}
