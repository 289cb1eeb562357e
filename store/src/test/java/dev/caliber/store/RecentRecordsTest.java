package dev.caliber.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class RecentRecordsTest {
  private static final Table<Said> ONE = Table.of("one", "One.", Said.class, Said::text);
  private static final Table<Said> OTHER = Table.of("other", "Another.", Said.class, Said::text);

  private final RecentRecords recent = new RecentRecords();
  private final AtomicInteger decoded = new AtomicInteger();

  record Said(String text) {}

  private Said read(Table<Said> table, String text) {
    return recent.of(table, text.getBytes(StandardCharsets.UTF_8), this::decode).record();
  }

  private Codec.Decoded<Said> decode(byte[] json) {
    decoded.incrementAndGet();
    return new Codec.Decoded<>(new Said(new String(json, StandardCharsets.UTF_8)), true);
  }

  @Test
  void theSameBytesAreDecodedOnce() {
    assertThat(read(ONE, "a")).isSameAs(read(ONE, "a")).isEqualTo(new Said("a"));
    assertThat(decoded).hasValue(1);
  }

  @Test
  void otherBytesAndOtherTablesAreOthers() {
    assertThat(read(ONE, "a")).isNotSameAs(read(OTHER, "a"));
    assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
    assertThat(read(ONE, "Aa")).isEqualTo(new Said("Aa"));
    assertThat(read(ONE, "BB")).isEqualTo(new Said("BB"));
    assertThat(read(ONE, "Aa")).isEqualTo(new Said("Aa"));
  }

  @Test
  void largeBodiesAreNotKept() {
    String large = "x".repeat(4096);
    assertThat(read(ONE, large)).isEqualTo(read(ONE, large));
    assertThat(decoded).hasValue(2);
  }
}
