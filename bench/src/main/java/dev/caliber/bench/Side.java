package dev.caliber.bench;

import dev.caliber.kernel.Id;
import java.util.List;

/** One way to do the work that is measured: through Caliber, or by hand. Used by one thread. */
interface Side extends AutoCloseable {

  /** Writes the entry, its index entries, its feed entry and the head; durable on return. */
  void commit(Entry entry);

  /** The entry with this key, which is there. */
  Entry read(Id key);

  /** The first entries of a session in the order of time. */
  List<Entry> ofSession(String session, int limit);

  /** The first entries of an author in the order of keys. */
  List<Entry> ofAuthor(String author, int limit);

  @Override
  void close();
}
