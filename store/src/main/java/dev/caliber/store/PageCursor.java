package dev.caliber.store;

import dev.caliber.kernel.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Position at which a scan continues: opaque text that a client may keep and send back. */
public record PageCursor(String text) {

  /** The last row's position in the order: its index values, then its key. */
  public record CursorPosition(List<Object> values, String key) {

    public CursorPosition {
      values = List.copyOf(values);
    }
  }

  public static <T> PageCursor of(Query<T> query, T last) {
    ArrayNode node = Json.mapper().createArrayNode();
    node.add(query.fingerprint());
    for (Column<T> column : query.orderColumns()) {
      Object value = column.value().apply(last);
      switch (value) {
        case Long number -> node.add(number);
        case Double number -> node.add(number);
        case Boolean flag -> node.add(flag);
        case null -> throw new IllegalStateException("Index row without " + column.name());
        default -> node.add(value.toString());
      }
    }
    node.add(query.table().keyOf(last));
    return new PageCursor(Base64.getUrlEncoder().withoutPadding().encodeToString(Json.bytes(node)));
  }

  public <T> CursorPosition position(Query<T> query) {
    List<Column<T>> columns = query.orderColumns();
    JsonNode node = decode();
    if (!node.isArray() || node.size() != columns.size() + 2) {
      throw StoreException.invalidCursor("this store did not create it");
    }
    if (!node.get(0).asString("").equals(query.fingerprint())) {
      throw StoreException.invalidCursor("another query returned it");
    }
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      values.add(value(columns.get(i).type(), node.get(i + 1)));
    }
    return new CursorPosition(values, (String) value(ColumnType.TEXT, node.get(node.size() - 1)));
  }

  private JsonNode decode() {
    try {
      byte[] json = Base64.getUrlDecoder().decode(text.getBytes(StandardCharsets.US_ASCII));
      return Json.mapper().readTree(json);
    } catch (IllegalArgumentException | JacksonException _) {
      throw StoreException.invalidCursor("this store did not create it");
    }
  }

  private static Object value(ColumnType type, JsonNode node) {
    try {
      return switch (type) {
        case TEXT -> ColumnType.requireText(node.asString());
        case INTEGER -> node.asLong();
        case REAL -> node.asDouble();
        case FLAG -> node.asBoolean();
        case INSTANT -> java.time.Instant.parse(node.asString());
      };
    } catch (JacksonException | java.time.DateTimeException | IllegalArgumentException _) {
      throw StoreException.invalidCursor("this store did not create it");
    }
  }
}
