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

  @BeforeEach
  void begin() {
    rows.begin(SPACE, HEAD);
    keep(SPACE, "a", SMALL);
  }

  private void keep(SpaceId space, String key, int size) {
    StoredBody body = new StoredBody(1, 1, new byte[size], List.of());
    Codec.Decoded<Said> decoded = new Codec.Decoded<>(new Said(key), true);
    rows.keep(space, TABLE, key, new KnownRows.Known<>(body, decoded));
  }

  private boolean knows(SpaceId space, String key) {
    return rows.find(space, TABLE, key).isPresent();
  }

  @Test
  void aRowIsKnownWhileTheHeadIsWhereItWasLeft() {
    rows.begin(SPACE, HEAD);
    assertThat(knows(SPACE, "a")).isTrue();
    rows.moved(SPACE, HEAD.next());
    rows.begin(SPACE, HEAD.next());
    assertThat(knows(SPACE, "a")).isTrue();
    rows.begin(SPACE, HEAD.next().next());
    assertThat(knows(SPACE, "a")).isFalse();
  }

  @Test
  void anotherEpochIsAnotherContent() {
    rows.begin(SPACE, new SpaceHead(2, 7, 7));
    assertThat(knows(SPACE, "a")).isFalse();
  }

  @Test
  void spacesAreApart() {
    rows.begin(OTHER, HEAD);
    assertThat(knows(OTHER, "a")).isFalse();
    keep(OTHER, "b", SMALL);
    rows.begin(OTHER, HEAD.next());
    assertThat(knows(SPACE, "a")).isTrue();
    assertThat(knows(OTHER, "b")).isFalse();
  }

  @Test
  void whatMayHaveBeenUndoneIsReadAgain() {
    rows.doubt(SPACE);
    rows.begin(SPACE, HEAD);
    assertThat(knows(SPACE, "a")).isFalse();
  }

  @Test
  void whatWasWrittenIsReadAgain() {
    keep(SPACE, "large", LARGE);
    rows.drop(SPACE, TABLE, "a");
    rows.drop(SPACE, TABLE, "large");
    assertThat(knows(SPACE, "a")).isFalse();
    assertThat(knows(SPACE, "large")).isFalse();
  }

  @Test
  void aLargeRowIsKnownToItsOwnWrite() {
    keep(SPACE, "large", LARGE);
    assertThat(knows(SPACE, "large")).isTrue();
    rows.begin(SPACE, HEAD);
    assertThat(knows(SPACE, "large")).isFalse();
    assertThat(knows(SPACE, "a")).isTrue();
  }

  @Test
  void ofManyRowsTheOneThatWasAskedForLongestAgoGoes() {
    keep(SPACE, "b", SMALL);
    for (int i = 0; i < LARGE; i++) {
      assertThat(knows(SPACE, "a")).isTrue();
      keep(SPACE, "row " + i, SMALL);
    }
    assertThat(knows(SPACE, "b")).isFalse();
  }

  @Test
  void afterAFailureNothingIsKnown() {
    rows.clear();
    rows.begin(SPACE, HEAD);
    assertThat(knows(SPACE, "a")).isFalse();
  }
}
