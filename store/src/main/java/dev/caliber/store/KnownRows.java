package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a writing session knows of spaces: the rows that it has read last and that nobody has
 * written since, and facts that its writes keep in mind. Whoever writes to a space moves its head,
 * so all of it is true while the head is where this session has left it. A row that the session has
 * written itself is read again, since a record may come back from the store otherwise than it went.
 *
 * <p>Small rows outlive their write: the scope and the trajectory of a conversation are asked for
 * with every turn of it. Large ones are kept for the write that has read them. Used by the thread
 * that has the session.
 */
final class KnownRows {

  /** As many as the conversations that go on at once may need; more are read again. */
  private static final int SMALL_ROWS_BOUND = 512;

  private static final int SMALL_BODY_BOUND = 2048;

  /** A decision looks at a few records; what reads many is no decision. */
  private static final int LARGE_ROWS_BOUND = 16;

  private static final int FACTS_BOUND = 512;

  private static final int SPACES_BOUND = 512;

  private final Map<Place, Known<?>> small = new Bounded<>(SMALL_ROWS_BOUND);
  private final Map<Place, Known<?>> large = new Bounded<>(LARGE_ROWS_BOUND);
  private final Map<Subject, Record> facts = new Bounded<>(FACTS_BOUND);

  /** Where the heads of spaces were when what is known of them was last seen to be true. */
  private final Map<SpaceId, SpaceHead> heads = new Bounded<>(SPACES_BOUND);

  /** A row as it was read. */
  record Known<T>(StoredBody body, Codec.Decoded<T> decoded) {
    boolean isSmall() {
      return body.binaries().isEmpty() && body.json().length <= SMALL_BODY_BOUND;
    }
  }

  private record Place(SpaceId space, String table, String key) {}

  private record Subject(SpaceId space, String about) {}

  /** A write begins in a space: what is known stays if nobody else has written there. */
  void begin(SpaceId space, SpaceHead head) {
    large.clear();
    if (!head.equals(heads.put(space, head))) {
      small.keySet().removeIf(place -> place.space.equals(space));
      facts.keySet().removeIf(subject -> subject.space.equals(space));
    }
  }

  /** What was written has moved the head. */
  void moved(SpaceId space, SpaceHead head) {
    heads.put(space, head);
  }

  /** What is known of a space may have been undone. */
  void doubt(SpaceId space) {
    heads.remove(space);
  }

  /** Nothing is known any more. */
  void clear() {
    heads.clear();
    small.clear();
    large.clear();
    facts.clear();
  }

  void keepFact(SpaceId space, String about, Record fact) {
    facts.put(new Subject(space, about), fact);
  }

  Optional<Record> fact(SpaceId space, String about) {
    return Optional.ofNullable(facts.get(new Subject(space, about)));
  }

  @SuppressWarnings("unchecked") // a place is filled by its own table alone
  <T> Optional<Known<T>> find(SpaceId space, Table<T> table, String key) {
    Place place = new Place(space, table.name(), key);
    Known<?> known = small.get(place);
    return Optional.ofNullable((Known<T>) (known != null ? known : large.get(place)));
  }

  <T> void keep(SpaceId space, Table<T> table, String key, Known<T> row) {
    (row.isSmall() ? small : large).put(new Place(space, table.name(), key), row);
  }

  void drop(SpaceId space, Table<?> table, String key) {
    Place place = new Place(space, table.name(), key);
    small.remove(place);
    large.remove(place);
  }

  /** Of more than so many the one that was asked for longest ago goes. */
  private static final class Bounded<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;
    private static final float LOAD = 0.75f;

    private final int bound;

    Bounded(int bound) {
      super(bound, LOAD, true);
      this.bound = bound;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > bound;
    }
  }
}
