package dev.caliber.bench.store;

import dev.caliber.bench.harness.BenchEntry;
import dev.caliber.kernel.Id;
import java.util.List;

/** One side of a comparison: the work through Caliber, or by hand. Used by one thread. */
interface Contender extends AutoCloseable {

  /** Writes the entry, its index entries, its feed entry and the head; durable on return. */
  void commit(BenchEntry benchEntry);

  /** Returns the entry with this key, which exists. */
  BenchEntry read(Id key);

  /** Returns the first entries of a session in the order of time. */
  List<BenchEntry> readSession(String session, int limit);

  /** Returns the first entries of an author in the order of keys. */
  List<BenchEntry> readAuthor(String author, int limit);

  @Override
  void close();
}
