package dev.caliber.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.sql.Codec;
import dev.caliber.store.jdbc.sql.SpaceHead;
import dev.caliber.store.jdbc.sql.StoredBody;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class KnownRowsTest {
  private static final Table<Said> TABLE = Table.of("said", "Said.", Said.class, Said::text);
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final SpaceId OTHER = new SpaceId("other");
  private static final SpaceHead HEAD = new SpaceHead(1, 7, 7);
  private static final int SMALL = 10;
  private static final int LARGE = 5000;

  private final WriterRowCache rows = new WriterRowCache();

  record Said(String text) {}

  private WriterRowCache.WriteCacheView writeCacheView = rows.beginWrite(SPACE, HEAD);

  @BeforeEach
  void begin() {
    keep("a", SMALL);
  }

  private void keep(String key, int size) {
    StoredBody body = new StoredBody(1, 1, new byte[size], List.of());
    Codec.DecodedRecord<Said> decodedRecord = new Codec.DecodedRecord<>(new Said(key), true);
    writeCacheView.putRow(TABLE, key, new WriterRowCache.CachedRow<>(body, decodedRecord));
    writeCacheView.putFact(key, new Said(key));
  }

  private boolean knows(String key) {
    boolean row = writeCacheView.findRow(TABLE, key).isPresent();
    assertThat(writeCacheView.fact(key).isPresent()).as("the fact beside the row").isEqualTo(row);
    return row;
  }

  private void begin(SpaceId space, SpaceHead head) {
    writeCacheView = rows.beginWrite(space, head);
  }

  @Test
  void aRowIsKnownWhileTheHeadIsWhereItWasLeft() {
    begin(SPACE, HEAD);
    assertThat(knows("a")).isTrue();
    rows.advanceHead(SPACE, HEAD.next());
    begin(SPACE, HEAD.next());
    assertThat(knows("a")).isTrue();
    begin(SPACE, HEAD.next().next());
    assertThat(knows("a")).isFalse();
    begin(SPACE, HEAD.next());
    assertThat(knows("a")).as("it does not come back").isFalse();
  }

  @Test
  void anotherEpochIsAnotherContent() {
    begin(SPACE, new SpaceHead(2, 7, 7));
    assertThat(knows("a")).isFalse();
  }

  @Test
  void spacesAreApart() {
    begin(OTHER, HEAD);
    assertThat(knows("a")).isFalse();
    keep("b", SMALL);
    begin(OTHER, HEAD.next());
    assertThat(knows("b")).isFalse();
    begin(SPACE, HEAD);
    assertThat(knows("a")).isTrue();
    assertThat(knows("b")).isFalse();
  }

  @Test
  void whatMayHaveBeenUndoneIsReadAgain() {
    rows.invalidate(SPACE);
    rows.advanceHead(SPACE, HEAD.next());
    begin(SPACE, HEAD.next());
    assertThat(knows("a")).isFalse();
  }

  @Test
  void whoReadsOnWhileAllIsForgottenLeavesNothingBehind() {
    rows.clear();
    keep("b", SMALL);
    rows.advanceHead(SPACE, HEAD.next());
    begin(SPACE, HEAD.next());
    assertThat(knows("b")).isFalse();
  }

  @Test
  void whatWasWrittenIsReadAgain() {
    writeCacheView.putRow(TABLE, "large", large());
    writeCacheView.removeRow(TABLE, "a");
    writeCacheView.removeRow(TABLE, "large");
    assertThat(writeCacheView.findRow(TABLE, "a")).isEmpty();
    assertThat(writeCacheView.findRow(TABLE, "large")).isEmpty();
  }

  private static WriterRowCache.CachedRow<Said> large() {
    StoredBody body = new StoredBody(1, 1, new byte[LARGE], List.of());
    return new WriterRowCache.CachedRow<>(body, new Codec.DecodedRecord<>(new Said("large"), true));
  }

  @Test
  void aLargeRowIsKnownToItsOwnWrite() {
    writeCacheView.putRow(TABLE, "large", large());
    assertThat(writeCacheView.findRow(TABLE, "large")).isPresent();
    begin(SPACE, HEAD);
    assertThat(writeCacheView.findRow(TABLE, "large")).isEmpty();
    assertThat(knows("a")).isTrue();
  }

  @Test
  void ofManyRowsTheOneThatWasAskedForLongestAgoGoes() {
    keep("b", SMALL);
    for (int i = 0; i < LARGE; i++) {
      assertThat(knows("a")).isTrue();
      keep("row " + i, SMALL);
    }
    assertThat(knows("b")).isFalse();
  }

  @Test
  void afterAnImportNothingIsKnown() {
    rows.clear();
    begin(SPACE, HEAD);
    assertThat(knows("a")).isFalse();
  }
}
