package dev.caliber.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.SpaceId;
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

  private final KnownRows rows = new KnownRows();

  record Said(String text) {}

  private KnownRows.Writing writing = rows.begin(SPACE, HEAD);

  @BeforeEach
  void begin() {
    keep("a", SMALL);
  }

  private void keep(String key, int size) {
    StoredBody body = new StoredBody(1, 1, new byte[size], List.of());
    Codec.Decoded<Said> decoded = new Codec.Decoded<>(new Said(key), true);
    writing.keep(TABLE, key, new KnownRows.Known<>(body, decoded));
    writing.keepFact(key, new Said(key));
  }

  private boolean knows(String key) {
    boolean row = writing.find(TABLE, key).isPresent();
    assertThat(writing.fact(key).isPresent()).as("the fact beside the row").isEqualTo(row);
    return row;
  }

  private void begin(SpaceId space, SpaceHead head) {
    writing = rows.begin(space, head);
  }

  @Test
  void aRowIsKnownWhileTheHeadIsWhereItWasLeft() {
    begin(SPACE, HEAD);
    assertThat(knows("a")).isTrue();
    rows.moved(SPACE, HEAD.next());
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
    rows.doubt(SPACE);
    rows.moved(SPACE, HEAD.next());
    begin(SPACE, HEAD.next());
    assertThat(knows("a")).isFalse();
  }

  @Test
  void whoReadsOnWhileAllIsForgottenLeavesNothingBehind() {
    rows.clear();
    keep("b", SMALL);
    rows.moved(SPACE, HEAD.next());
    begin(SPACE, HEAD.next());
    assertThat(knows("b")).isFalse();
  }

  @Test
  void whatWasWrittenIsReadAgain() {
    writing.keep(TABLE, "large", large());
    writing.drop(TABLE, "a");
    writing.drop(TABLE, "large");
    assertThat(writing.find(TABLE, "a")).isEmpty();
    assertThat(writing.find(TABLE, "large")).isEmpty();
  }

  private static KnownRows.Known<Said> large() {
    StoredBody body = new StoredBody(1, 1, new byte[LARGE], List.of());
    return new KnownRows.Known<>(body, new Codec.Decoded<>(new Said("large"), true));
  }

  @Test
  void aLargeRowIsKnownToItsOwnWrite() {
    writing.keep(TABLE, "large", large());
    assertThat(writing.find(TABLE, "large")).isPresent();
    begin(SPACE, HEAD);
    assertThat(writing.find(TABLE, "large")).isEmpty();
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
