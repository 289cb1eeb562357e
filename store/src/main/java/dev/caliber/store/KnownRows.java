package dev.caliber.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.SpaceId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the writers of a process know of spaces: the rows that they have read last and that nobody
 * has written since, and facts that their writes keep in mind. Whoever writes to a space moves its
 * head, so all of it is true while the head is where this process has left it, whichever of its
 * writers has the next turn. A row that was written is read again, since a record may come back
 * from the store otherwise than it went.
 *
 * <p>Small rows outlive their write: the scope and the trajectory of a conversation are asked for
 * with every turn of it. Large ones are kept for the write that has read them.
 */
final class KnownRows {

  /** As many as the conversations that go on at once may need; more are read again. */
  private static final int SMALL_ROWS_BOUND = 2048;

  private static final int SMALL_BODY_BOUND = 2048;

  /** A decision looks at a few records; what reads many is no decision. */
  private static final int LARGE_ROWS_BOUND = 16;

  private static final int FACTS_BOUND = 2048;

  private static final int SPACES_BOUND = 512;

  @GuardedBy("this")
  private final Map<Place, Known<?>> small = new Bounded<>(SMALL_ROWS_BOUND);

  @GuardedBy("this")
  private final Map<Subject, Record> facts = new Bounded<>(FACTS_BOUND);

  /** Where the heads of spaces were when what is known of them was last seen to be true. */
  @GuardedBy("this")
  private final Map<SpaceId, Seen> heads = new Bounded<>(SPACES_BOUND);

  @GuardedBy("this")
  private long eras;

  /** A row as it was read. */
  record Known<T>(StoredBody body, Codec.Decoded<T> decoded) {
    boolean isSmall() {
      return body.binaries().isEmpty() && body.json().length <= SMALL_BODY_BOUND;
    }
  }

  /**
   * A head, and the era of what is known under it. What is no longer known is not looked for: it
   * belongs to an era that is over.
   */
  private record Seen(SpaceHead head, long era) {}

  private record Place(long era, String table, String key) {}

  private record Subject(long era, String about) {}

  /** A write begins in a space: what is known stays if nobody else has written there. */
  synchronized Writing begin(SpaceId space, SpaceHead head) {
    Seen seen = heads.get(space);
    if (seen == null || !seen.head.equals(head)) {
      seen = new Seen(head, ++eras);
      heads.put(space, seen);
    }
    return new Writing(seen.era);
  }

  /** What was written has moved the head. */
  synchronized void moved(SpaceId space, SpaceHead head) {
    heads.computeIfPresent(space, (_, seen) -> new Seen(head, seen.era));
  }

  /** What is known of a space may have been undone. */
  synchronized void doubt(SpaceId space) {
    heads.remove(space);
  }

  /** Nothing is known any more: what was read may be of a history that is no more. */
  synchronized void clear() {
    heads.clear();
    small.clear();
    facts.clear();
  }

  /** What one write knows of its space, on the thread that has the space's turn. */
  final class Writing {
    private final long era;
    private final Map<Place, Known<?>> large = new Bounded<>(LARGE_ROWS_BOUND);

    private Writing(long era) {
      this.era = era;
    }

    void keepFact(String about, Record fact) {
      synchronized (KnownRows.this) {
        facts.put(new Subject(era, about), fact);
      }
    }

    Optional<Record> fact(String about) {
      synchronized (KnownRows.this) {
        return Optional.ofNullable(facts.get(new Subject(era, about)));
      }
    }

    @SuppressWarnings("unchecked") // a place is filled by its own table alone
    <T> Optional<Known<T>> find(Table<T> table, String key) {
      Place place = new Place(era, table.name(), key);
      Known<?> known = large.get(place);
      synchronized (KnownRows.this) {
        return Optional.ofNullable((Known<T>) (known != null ? known : small.get(place)));
      }
    }

    <T> void keep(Table<T> table, String key, Known<T> row) {
      Place place = new Place(era, table.name(), key);
      if (!row.isSmall()) {
        large.put(place, row);
        return;
      }
      synchronized (KnownRows.this) {
        small.put(place, row);
      }
    }

    void drop(Table<?> table, String key) {
      Place place = new Place(era, table.name(), key);
      large.remove(place);
      synchronized (KnownRows.this) {
        small.remove(place);
      }
    }
  }

  /** Of more than so many the one that was asked for longest ago goes. */
  private static final class Bounded<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;
    private static final float LOAD = 0.75f;
    private static final int FIRST = 16;

    private final int bound;

    Bounded(int bound) {
      super(FIRST, LOAD, true);
      this.bound = bound;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > bound;
    }
  }
}
