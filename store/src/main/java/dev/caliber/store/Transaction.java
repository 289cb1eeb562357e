package dev.caliber.store;

import dev.caliber.kernel.Id;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Write in progress: it sees its own changes, and all of them commit together or not at all.
 * Nothing slow belongs inside: no network, no model, no waiting.
 */
public interface Transaction extends Snapshot {

  /** Returns the time of this commit, which every record written here shares. */
  Instant now();

  /** Returns a new time-ordered id. */
  Id newId();

  /** Returns the revision that records written here will carry. */
  long revision();

  /** Inserts a record, whose key must not exist. */
  <T> void insert(Table<T> table, T record);

  /**
   * Appends a record under a new id, such as a line of a log. It may be buffered until the commit;
   * reads of its table in this group see it nevertheless. A key, or a value of a unique index, that
   * is taken fails the commit, including the writes that commit together with it.
   */
  <T> void append(Table<T> table, T record);

  /** Inserts a record or replaces the one with its key. */
  <T> void put(Table<T> table, T record);

  /**
   * Writes records of one table as {@link #put} does, each key once, in few steps. If one of them
   * is refused, the whole write is.
   */
  <T> void putAll(Table<T> table, Collection<T> records);

  /**
   * Writes a record only if the present one still has this revision; 0 stands for "does not exist".
   */
  <T> void put(Table<T> table, T record, long expectedRevision);

  /** Changes the record with this key, which must exist, and returns the new one. */
  <T> T update(Table<T> table, Object key, UnaryOperator<T> change);

  /** Deletes the record with this key; returns false if it does not exist. */
  <T> boolean delete(Table<T> table, Object key);

  /**
   * Caches a small fact that will be true once this write has committed, so that the next write
   * need not read it. A write that makes the fact untrue must cache a new one.
   */
  void cacheFact(String about, Record fact);

  /**
   * Returns a fact cached by an earlier write of this process, if no other process has written to
   * the space since. It may be evicted at any time: the caller must be able to read it instead.
   */
  <F extends Record> Optional<F> cachedFact(String about, Class<F> type);
}
