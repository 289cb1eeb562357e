package dev.caliber.store.maintenance;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Vectors;
import dev.caliber.store.BinaryColumn;
import dev.caliber.store.Column;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.sql.DeclaredTables;
import dev.caliber.store.jdbc.sql.PreparedTable;
import dev.caliber.store.jdbc.sql.RowBinder;
import dev.caliber.store.jdbc.sql.StoredBody;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Parser of the lines of an export; it refuses malformed lines. */
final class ImportParser {

  private static final int LONGEST_QUOTE = 64;

  private final DeclaredTables declaredTables;
  private final DataSize recordLimit;

  ImportParser(DeclaredTables declaredTables, DataSize recordLimit) {
    this.declaredTables = declaredTables;
    this.recordLimit = recordLimit;
  }

  /** Parses any line as an object; {@code place} is file and line, for the refusal. */
  static ObjectNode parseObject(String place, byte[] line) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line));
      return Json.read(line, ObjectNode.class);
    } catch (CharacterCodingException _) {
      throw StoreException.importRefused(
          place, "this line is not UTF-8 text", "Import a file that 'caliber export' has written.");
    } catch (CaliberException e) {
      throw StoreException.importRefused(
          place,
          "this line has to be exactly one JSON object: " + e.message(),
          "Export again, or repair this line.");
    }
  }

  /** Parses a record's line and makes all checks that do not need the store. */
  ImportLine<?> parseRecord(String place, byte[] line, ObjectNode object) {
    for (String name : object.propertyNames()) {
      if (!ExportFormatV1.RECORD.contains(name)) {
        throw refusal(
            place, "the line of a record has the unknown property '%s'".formatted(quoted(name)));
      }
    }
    String name = text(place, object, ExportFormatV1.TABLE);
    PreparedTable<?> runtime =
        declaredTables
            .find(name)
            .orElseThrow(
                () ->
                    StoreException.importRefused(
                        place,
                        "there is no table '%s'".formatted(quoted(name)),
                        "Import with a version of Caliber that has the table, or remove the lines of the table."));
    wholeNumber(place, object, ExportFormatV1.REVISION, 1, Long.MAX_VALUE);
    if (!(object.get(ExportFormatV1.BODY) instanceof ObjectNode)) {
      throw refusal(place, "'body' is missing or is not an object");
    }
    return parseRecord(runtime, place, line, object);
  }

  private <T> ImportLine<T> parseRecord(
      PreparedTable<T> runtime, String place, byte[] line, ObjectNode object) {
    Table<T> table = runtime.table();
    int schema = schema(place, table, object);
    String key = text(place, object, ExportFormatV1.KEY);
    List<byte @Nullable []> binaries = binaries(place, table, object);
    try {
      SpaceId space = new SpaceId(text(place, object, ExportFormatV1.SPACE));
      StoredBody body = new StoredBody(0, schema, rawBody(line), binaries);
      RowBinder.requireKey(table, key);
      RowBinder.requireSize(table, body, recordLimit);
      T record = runtime.codec().decode(body);
      if (!table.keyOf(record).equals(key)) {
        throw refusal(place, "'key' differs from the key in 'body'");
      }
      for (Column<T> column : table.columns()) {
        RowBinder.columnValue(table, column, record);
      }
      return new ImportLine<>(runtime, space, key, body, record);
    } catch (StoreException e) {
      throw e.code() == StoreErrorCode.IMPORT_INVALID ? e : refusal(place, e.message());
    } catch (CaliberException e) {
      throw refusal(place, e.message());
    } catch (RuntimeException e) { // a record's own code may throw anything at unexpected values
      throw refusal(
          place,
          "'body' cannot be read as a record of table '%s' (%s)"
              .formatted(table.name(), e.getClass().getSimpleName()));
    }
  }

  private static int schema(String place, Table<?> table, ObjectNode object) {
    int schema = (int) wholeNumber(place, object, ExportFormatV1.SCHEMA, 1, Integer.MAX_VALUE);
    if (schema > table.schema()) {
      throw StoreException.importRefused(
          place,
          "a newer version wrote this record of table '%s': its schema is %d, this version knows %d"
              .formatted(table.name(), schema, table.schema()),
          "Import the file with the newer version.");
    }
    return schema;
  }

  private static <T> List<byte @Nullable []> binaries(
      String place, Table<T> table, ObjectNode object) {
    JsonNode found = object.get(ExportFormatV1.BINARY);
    if (found != null && !(found instanceof ObjectNode)) {
      throw refusal(place, "'binary' is not an object");
    }
    Set<String> unknown = new HashSet<>(found == null ? Set.of() : found.propertyNames());
    List<byte @Nullable []> binaries = new ArrayList<>();
    for (BinaryColumn<T> binaryColumn : table.binaries()) {
      unknown.remove(binaryColumn.name());
      JsonNode value = found == null ? null : found.get(binaryColumn.name());
      binaries.add(value == null ? null : bytes(place, binaryColumn, value));
    }
    if (!unknown.isEmpty()) {
      throw refusal(
          place,
          "a %s has no binary part '%s'"
              .formatted(table.name(), quoted(unknown.iterator().next())));
    }
    return binaries;
  }

  private static byte[] bytes(String place, BinaryColumn<?> binaryColumn, JsonNode value) {
    try {
      if (value.isString()) {
        byte[] bytes = Base64.getDecoder().decode(value.asString());
        if (binaryColumn.vector()) {
          Vectors.fromBytes(bytes);
        }
        return bytes;
      }
    } catch (IllegalArgumentException | CaliberException _) {
      // refused below
    }
    throw refusal(
        place,
        "binary part '%s' is not base64 of %s"
            .formatted(binaryColumn.name(), binaryColumn.vector() ? "a vector" : "bytes"));
  }

  /**
   * Returns the body's bytes as they are in the line, so that properties unknown to this version,
   * and numbers without a Java type, are imported unchanged. The line has been parsed before, so it
   * is well formed.
   */
  private static byte[] rawBody(byte[] line) {
    try (JsonParser parser = Json.mapper().createParser(line)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean body = parser.currentName().equals(ExportFormatV1.BODY);
        parser.nextToken();
        int start = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
        parser.skipChildren();
        if (body) {
          int end = Math.toIntExact(parser.currentLocation().getByteOffset());
          return Arrays.copyOfRange(line, start, end);
        }
      }
    }
    throw new IllegalStateException("A line without a body was not refused");
  }

  static String text(String place, ObjectNode object, String name) {
    JsonNode value = object.get(name);
    if (value == null || !value.isString()) {
      throw refusal(place, "'%s' is missing or is not a text".formatted(name));
    }
    return value.asString();
  }

  /** Returns the whole number of this member, from {@code min} to {@code max}. */
  static long wholeNumber(String place, ObjectNode object, String name, long min, long max) {
    JsonNode value = object.get(name);
    if (value == null || !value.isIntegralNumber() || !value.canConvertToLong()) {
      throw refusal(place, "'%s' is missing or is not a whole number".formatted(name));
    }
    long number = value.longValue();
    if (number < min || number > max) {
      throw refusal(place, "'%s' is out of range".formatted(name));
    }
    return number;
  }

  static StoreException refusal(String place, String what) {
    return StoreException.importRefused(place, what, "Export again, or repair this line.");
  }

  private static String quoted(String text) {
    String shown = text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…";
    return shown.replaceAll("\\p{Cntrl}", "?");
  }
}
