package dev.caliber.store;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records that were read or written lately, by the bytes of their bodies: the same bytes of a table
 * are the same record, and records do not change. Each hash has one place, so that nothing is
 * locked or counted, and large bodies have none, so that it stays small.
 *
 * <p>A record is kept when it is read for the second time in a row at its place: who walks through
 * many records once neither pays for keeping them nor drives out what others read again and again.
 */
final class RecentRecords {
  private static final int PLACES_BOUND = 1 << 13;
  private static final int BODY_BOUND = 2048;

  private final AtomicReferenceArray<@Nullable Recent> places =
      new AtomicReferenceArray<>(PLACES_BOUND);

  /** The hash of what was last read at each place and is not kept there. */
  private final AtomicIntegerArray passing = new AtomicIntegerArray(PLACES_BOUND);

  /** What bytes were, and for whom. */
  @SuppressWarnings("ArrayRecordComponent") // compared by its content alone
  private record Recent(Table<?> table, byte[] json, Codec.Decoded<?> decoded) {
    boolean is(Table<?> wanted, byte[] bytes) {
      return table == wanted && Arrays.equals(json, bytes);
    }
  }

  /** The record of these bytes, decoded if it has to be. */
  @SuppressWarnings("unchecked") // a table has records of one type
  <T> Codec.Decoded<T> of(
      Table<T> table, byte[] json, Function<byte[], Codec.Decoded<T>> decoding) {
    if (json.length > BODY_BOUND) {
      return decoding.apply(json);
    }
    int hash = Arrays.hashCode(json);
    int place = Math.floorMod(hash, PLACES_BOUND);
    Recent recent = places.get(place);
    if (recent != null && recent.is(table, json)) {
      return (Codec.Decoded<T>) recent.decoded();
    }
    Codec.Decoded<T> decoded = decoding.apply(json);
    if (passing.getPlain(place) == hash) {
      places.set(place, new Recent(table, json, decoded));
    } else {
      passing.setPlain(place, hash);
    }
    return decoded;
  }
}
