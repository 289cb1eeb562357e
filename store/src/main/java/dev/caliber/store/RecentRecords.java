package dev.caliber.store;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records that were read or written last, by the bytes of their bodies: the same bytes of a table
 * are the same record, and records do not change. Each hash has one place, so that nothing is
 * locked or counted, and large bodies have none, so that it stays small.
 */
final class RecentRecords {
  private static final int PLACES_BOUND = 1 << 13;
  private static final int BODY_BOUND = 2048;

  private final AtomicReferenceArray<@Nullable Recent> places =
      new AtomicReferenceArray<>(PLACES_BOUND);

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
    Recent recent = json.length > BODY_BOUND ? null : places.get(place(json));
    if (recent != null && recent.is(table, json)) {
      return (Codec.Decoded<T>) recent.decoded();
    }
    Codec.Decoded<T> decoded = decoding.apply(json);
    keep(table, json, decoded);
    return decoded;
  }

  private <T> void keep(Table<T> table, byte[] json, Codec.Decoded<T> decoded) {
    if (json.length <= BODY_BOUND) {
      places.set(place(json), new Recent(table, json, decoded));
    }
  }

  private static int place(byte[] json) {
    return Math.floorMod(Arrays.hashCode(json), PLACES_BOUND);
  }
}
