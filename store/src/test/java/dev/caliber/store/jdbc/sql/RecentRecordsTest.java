package dev.caliber.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RecentRecordsTest {
  private static final Table<Said> ONE = Table.of("one", "One.", Said.class, Said::text);
  private static final Table<Said> OTHER = Table.of("other", "Another.", Said.class, Said::text);

  private final DecodedRecordCache recent = new DecodedRecordCache();
  private final AtomicInteger decoded = new AtomicInteger();

  record Said(String text) {}

  private Said read(Table<Said> table, String text) {
    return recent.findOrDecode(table, text.getBytes(StandardCharsets.UTF_8), this::decode).record();
  }

  private Codec.DecodedRecord<Said> decode(byte[] json) {
    decoded.incrementAndGet();
    return new Codec.DecodedRecord<>(new Said(new String(json, StandardCharsets.UTF_8)), true);
  }

  @Test
  void whatIsReadAgainIsKept() {
    Said first = read(ONE, "a");
    Said kept = read(ONE, "a");
    assertThat(read(ONE, "a")).isSameAs(kept).isEqualTo(first);
    assertThat(decoded).hasValue(2);
  }

  @Test
  void whatIsReadOnceDrivesNothingOut() {
    read(ONE, "a");
    Said kept = read(ONE, "a");
    int walked = 20_000; // more than twice as many as there are places
    IntStream.range(0, walked).forEach(number -> read(ONE, "walked " + number));
    assertThat(read(ONE, "a")).isSameAs(kept);
    assertThat(decoded).hasValue(2 + walked);
  }

  @Test
  void otherBytesAndOtherTablesAreOthers() {
    read(ONE, "a");
    assertThat(read(ONE, "a")).isNotSameAs(read(OTHER, "a"));
    assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
    for (int i = 0; i < 3; i++) {
      assertThat(read(ONE, "Aa")).isEqualTo(new Said("Aa"));
      assertThat(read(ONE, "BB")).isEqualTo(new Said("BB"));
    }
  }

  @Test
  void largeBodiesAreNotKept() {
    String large = "x".repeat(4096);
    assertThat(read(ONE, large)).isEqualTo(read(ONE, large));
    assertThat(decoded).hasValue(2);
  }
}
