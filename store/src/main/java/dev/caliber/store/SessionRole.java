package dev.caliber.store;

/** What a session is for: it decides which rows it may see and whether it may write. */
enum SessionRole {
  /** Writes, one space at a time. */
  WRITER,
  /** Reads, one space at a time. */
  READER,
  /** Sees and writes all spaces: backup, import, doctor. */
  KEEPER,
  /** Owns the tables: lays them out. */
  OWNER
}
