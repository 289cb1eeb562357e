package dev.caliber.store.jdbc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.sql.Codec;
import dev.caliber.store.jdbc.sql.SpaceHead;
import dev.caliber.store.jdbc.sql.StoredBody;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Cache of the writer threads of a process: rows that they have read and that have not been written
 * since, and facts cached by writes. Every write to a space moves its head, so an entry is valid
 * while the head is where this process has left it, whichever of its writers has the next turn. A
 * row that was written is removed and read again, since encoding and decoding may change a record.
 *
 * <p>Small rows outlive their write: every turn of a conversation reads its scope and its
 * trajectory. Large ones are kept for the write that has read them.
 */
final class WriterRowCache {

  /** Enough for the conversations that run at once; further rows are read again. */
  private static final int SMALL_ROWS_BOUND = 2048;

  private static final int SMALL_BODY_BOUND = 2048;

  /** Enough for the few records that a decision reads. */
  private static final int LARGE_ROWS_BOUND = 16;

  private static final int FACTS_BOUND = 2048;

  private static final int SPACES_BOUND = 512;

  @GuardedBy("this")
  private final Map<CachedRowKey, CachedRow<?>> small = new LruMap<>(SMALL_ROWS_BOUND);

  @GuardedBy("this")
  private final Map<CachedFactKey, Record> facts = new LruMap<>(FACTS_BOUND);

  /** Head of each space up to which its cached entries are known to be valid. */
  @GuardedBy("this")
  private final Map<SpaceId, CacheEra> heads = new LruMap<>(SPACES_BOUND);

  @GuardedBy("this")
  private long eras;

  /** Row as it was read. */
  record CachedRow<T>(StoredBody body, Codec.DecodedRecord<T> decoded) {
    boolean isSmall() {
      return body.binaries().isEmpty() && body.json().length <= SMALL_BODY_BOUND;
    }
  }

  /**
   * Head of a space, and the era of the entries valid under it. Invalid entries are not searched
   * for and removed: they belong to an earlier era.
   */
  private record CacheEra(SpaceHead head, long era) {}

  private record CachedRowKey(long era, String table, String key) {}

  private record CachedFactKey(long era, String about) {}

  /** Begins a write in a space: entries stay valid if no other process has written there. */
  synchronized WriteCacheView beginWrite(SpaceId space, SpaceHead head) {
    CacheEra cacheEra = heads.get(space);
    if (cacheEra == null || !cacheEra.head.equals(head)) {
      cacheEra = new CacheEra(head, ++eras);
      heads.put(space, cacheEra);
    }
    return new WriteCacheView(cacheEra.era);
  }

  /** Moves the space's head after a commit of this process. */
  synchronized void advanceHead(SpaceId space, SpaceHead head) {
    heads.computeIfPresent(space, (_, cacheEra) -> new CacheEra(head, cacheEra.era));
  }

  /** Invalidates a space whose changes may have been undone. */
  synchronized void invalidate(SpaceId space) {
    heads.remove(space);
  }

  /** Clears the cache: its entries may belong to a history that no longer exists. */
  synchronized void clear() {
    heads.clear();
    small.clear();
    facts.clear();
  }

  /** View of one write on its space's entries, used by the thread that has the write turn. */
  final class WriteCacheView {
    private final long era;
    private final Map<CachedRowKey, CachedRow<?>> large = new LruMap<>(LARGE_ROWS_BOUND);

    private WriteCacheView(long era) {
      this.era = era;
    }

    void putFact(String about, Record fact) {
      synchronized (WriterRowCache.this) {
        facts.put(new CachedFactKey(era, about), fact);
      }
    }

    Optional<Record> fact(String about) {
      synchronized (WriterRowCache.this) {
        return Optional.ofNullable(facts.get(new CachedFactKey(era, about)));
      }
    }

    @SuppressWarnings("unchecked") // a slot holds rows of its own table only
    <T> Optional<CachedRow<T>> findRow(Table<T> table, String key) {
      CachedRowKey cachedRowKey = new CachedRowKey(era, table.name(), key);
      CachedRow<?> cachedRow = large.get(cachedRowKey);
      synchronized (WriterRowCache.this) {
        return Optional.ofNullable(
            (CachedRow<T>) (cachedRow != null ? cachedRow : small.get(cachedRowKey)));
      }
    }

    <T> void putRow(Table<T> table, String key, CachedRow<T> row) {
      CachedRowKey cachedRowKey = new CachedRowKey(era, table.name(), key);
      if (!row.isSmall()) {
        large.put(cachedRowKey, row);
        return;
      }
      synchronized (WriterRowCache.this) {
        small.put(cachedRowKey, row);
      }
    }

    void removeRow(Table<?> table, String key) {
      CachedRowKey cachedRowKey = new CachedRowKey(era, table.name(), key);
      large.remove(cachedRowKey);
      synchronized (WriterRowCache.this) {
        small.remove(cachedRowKey);
      }
    }
  }

  /** Map that evicts the least recently used entry beyond its bound. */
  private static final class LruMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;
    private static final float LOAD = 0.75f;
    private static final int FIRST = 16;

    private final int bound;

    LruMap(int bound) {
      super(FIRST, LOAD, true);
      this.bound = bound;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > bound;
    }
  }
}
