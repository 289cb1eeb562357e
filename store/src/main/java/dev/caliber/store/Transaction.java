package dev.caliber.store;

import dev.caliber.kernel.Id;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A write in progress: it sees its own changes, and all of them commit together or not at all.
 * Nothing slow belongs inside: no network, no model, no waiting.
 */
public interface Transaction extends Snapshot {

  /** The one time of this commit; every record written here shares it. */
  Instant now();

  /** A new id, ordered by time. */
  Id newId();

  /** The revision that records written here will carry. */
  long revision();

  /** Writes a record that must not be there yet. */
  <T> void insert(Table<T> table, T record);

  /**
   * Writes a record under a new id, such as a line of a log. It may wait for the commit; whoever
   * reads its table meanwhile sees it. A key, or a value of a unique index, that is taken fails the
   * commit, and those that commit together with it.
   */
  <T> void append(Table<T> table, T record);

  /** Writes a record, new or in place of the one with its key. */
  <T> void put(Table<T> table, T record);

  /**
   * Writes records of one table as {@link #put} does, each key once, in few steps. What refuses one
   * of them refuses the whole write.
   */
  <T> void putAll(Table<T> table, Collection<T> records);

  /**
   * Writes a record only if the one with its key still has this revision; 0 stands for "not there".
   */
  <T> void put(Table<T> table, T record, long expectedRevision);

  /** Changes the record with this key, which must be there, and returns what was written. */
  <T> T update(Table<T> table, Object key, UnaryOperator<T> change);

  /** Removes the record with this key; false if there was none. */
  <T> boolean delete(Table<T> table, Object key);

  /**
   * Keeps something small in mind that will be true when this write has committed, so that the next
   * one need not read it. Who changes what it says, says it anew.
   */
  void keepInMind(String about, Record fact);

  /**
   * What a write of this process has kept in mind, while nobody else writes to the space. It may be
   * gone at any time: who asks must be able to read it instead.
   */
  <F extends Record> Optional<F> inMind(String about, Class<F> type);
}
