package dev.caliber.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;

/** Properties of cursors, which come back from clients and may be any text. */
final class PageCursorProperties {

  record Stone(String id, String name, long size, double weight, boolean round, Instant found) {}

  private static final Table<Stone> STONES =
      Table.of("stone", "Stones.", Stone.class, Stone::id)
          .text("name", Stone::name)
          .integer("size", Stone::size)
          .real("weight", Stone::weight)
          .flag("round", Stone::round)
          .instant("found", Stone::found)
          .index("name", "size", "weight", "round", "found");

  private static final Query<Stone> ALL =
      Query.over(STONES, "name", "size", "weight", "round", "found");

  @Property
  @Label("a cursor leads back to the row it was made from")
  void leadsBack(
      @ForAll String id,
      @ForAll String name,
      @ForAll long size,
      @ForAll @DoubleRange double weight,
      @ForAll boolean round) {
    if (isText(id) && isText(name)) {
      Instant found = Instant.ofEpochSecond(Math.abs(size % 1_000_000_000), 123_456_000);
      Stone stone = new Stone(id, name, size, weight, round, found);
      PageCursor.CursorPosition cursorPosition = PageCursor.of(ALL, stone).position(ALL);
      assertThat(cursorPosition.key()).isEqualTo(id);
      assertThat(cursorPosition.values()).containsExactly(name, size, weight, round, found);
    }
  }

  @Property
  @Label("any other text is refused as a cursor, never as something else")
  void refusesTheRest(@ForAll String text) {
    PageCursor forged = new PageCursor(text);
    assertThatThrownBy(() -> forged.position(ALL)).isInstanceOf(StoreException.class);
    PageCursor encoded =
        new PageCursor(
            Base64.getUrlEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
    assertThatThrownBy(() -> encoded.position(ALL))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.code()).isEqualTo(StoreErrorCode.INVALID_CURSOR));
  }

  @Property
  @Label("values of the wrong kind are refused")
  void refusesWrongValues(@ForAll String name, @ForAll boolean flag) {
    String json =
        "[\"%s\",%s,%s,{},[],\"no time\",\"key\"]".formatted(ALL.fingerprint(), flag, flag);
    PageCursor forged =
        new PageCursor(
            Base64.getUrlEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8)));
    assertThatThrownBy(() -> forged.position(ALL)).isInstanceOf(StoreException.class);
  }

  private static boolean isText(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text) && text.indexOf(0) < 0;
  }
}
