package dev.caliber.store.jdbc.sql;

import dev.caliber.store.Table;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Cache of decoded records, keyed by the bytes of their bodies: equal bytes of one table always
 * decode to the same immutable record. Each hash has one slot, so that nothing is locked or
 * counted; large bodies are not cached, so that the cache stays small.
 *
 * <p>A record is cached when it is the one that its slot saw last, that is, on its second read. A
 * scan that reads each record once therefore evicts nothing.
 */
final class DecodedRecordCache {
  private static final int PLACES_BOUND = 1 << 13;
  private static final int BODY_BOUND = 2048;

  private final AtomicReferenceArray<@Nullable CachedRecord> places =
      new AtomicReferenceArray<>(PLACES_BOUND);

  /** Hash of the record last read at each slot, if that record is not cached there. */
  private final AtomicIntegerArray passing = new AtomicIntegerArray(PLACES_BOUND);

  /** Bytes of a body, their table and the decoded record. */
  @SuppressWarnings("ArrayRecordComponent") // compared by its content alone
  private record CachedRecord(Table<?> table, byte[] json, Codec.DecodedRecord<?> decoded) {
    boolean isRecordOf(Table<?> wanted, byte[] bytes) {
      return table == wanted && Arrays.equals(json, bytes);
    }
  }

  /** Returns the record of these bytes and decodes it if it is not cached. */
  @SuppressWarnings("unchecked") // a table has records of one type
  <T> Codec.DecodedRecord<T> findOrDecode(
      Table<T> table, byte[] json, Function<byte[], Codec.DecodedRecord<T>> decoding) {
    if (json.length > BODY_BOUND) {
      return decoding.apply(json);
    }
    int hash = Arrays.hashCode(json);
    int place = Math.floorMod(hash, PLACES_BOUND);
    CachedRecord cachedRecord = places.get(place);
    if (cachedRecord != null && cachedRecord.isRecordOf(table, json)) {
      return (Codec.DecodedRecord<T>) cachedRecord.decoded();
    }
    Codec.DecodedRecord<T> decodedRecord = decoding.apply(json);
    if (passing.getPlain(place) == hash) {
      places.set(place, new CachedRecord(table, json, decodedRecord));
    } else {
      passing.setPlain(place, hash);
    }
    return decodedRecord;
  }
}
