package dev.caliber.store.maintenance;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.sql.StoredBody;
import dev.caliber.store.jdbc.sql.StoredRow;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.node.ObjectNode;

/**
 * An export, version 1: lines of JSON in UTF-8, each an object, each ended by one line feed.
 *
 * <ol>
 *   <li>The first line is the header: {@code
 *       {"caliber":"export","format":1,"host":H,"created_at":T}}, with {@code "space":S} when the
 *       export is of one space. {@code format} is this version; a reader refuses a higher one and
 *       ignores members that it does not know.
 *   <li>Then one line for each record: {@code
 *       {"space":S,"table":T,"key":K,"revision":R,"schema":N,"body":{…},"binary":{name:base64}}}.
 *       {@code body} is the stored body to the byte; {@code schema} is its schema number; {@code
 *       revision} is the sequence of the commit that last wrote it, for information only: an import
 *       assigns its own. {@code binary} holds the binary parts by column name in standard base64
 *       with padding (a vector is 32-bit floats, little-endian), and is left out when there are
 *       none. A member with another name is an error, as is a key that differs from the one in the
 *       body. Records come by table, in each by space and key in byte order, but a reader takes any
 *       order. No two lines have the same space, table and key.
 *   <li>The last line is the footer: {@code {"end":true,"records":N,"sha256":X}}. {@code N} is the
 *       number of record lines, {@code X} the SHA-256 of every byte before this line in lower-case
 *       hexadecimal. A file without it was cut off and is refused.
 * </ol>
 */
final class ExportFormatV1 {

  static final int VERSION = 1;
  static final String NAME = "export";

  static final String CALIBER = "caliber";
  static final String FORMAT = "format";
  static final String SPACE = "space";
  static final String TABLE = "table";
  static final String KEY = "key";
  static final String REVISION = "revision";
  static final String SCHEMA = "schema";
  static final String BODY = "body";
  static final String BINARY = "binary";
  static final String END = "end";
  static final String RECORDS = "records";
  static final String SHA256 = "sha256";

  /** Names of all members that a record's line may have. */
  static final Set<String> RECORD = Set.of(SPACE, TABLE, KEY, REVISION, SCHEMA, BODY, BINARY);

  private ExportFormatV1() {}

  static byte[] header(Id host, Instant time, Optional<SpaceId> space) {
    ObjectNode line = Json.mapper().createObjectNode();
    line.put(CALIBER, NAME);
    line.put(FORMAT, VERSION);
    line.put("host", host.toString());
    line.put("created_at", Timestamps.format(time));
    space.ifPresent(only -> line.put(SPACE, only.value()));
    return withLineFeed(Json.bytes(line));
  }

  static byte[] record(Table<?> table, StoredRow row) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(row.body().json().length + 256);
    try (JsonGenerator line = Json.mapper().createGenerator(bytes)) {
      line.writeStartObject();
      line.writeStringProperty(SPACE, row.space());
      line.writeStringProperty(TABLE, table.name());
      line.writeStringProperty(KEY, row.key());
      line.writeNumberProperty(REVISION, row.body().revision());
      line.writeNumberProperty(SCHEMA, row.body().schema());
      line.writeName(BODY);
      line.writeRawValue(new String(row.body().json(), StandardCharsets.UTF_8));
      writeBinaries(line, table, row.body());
      line.writeEndObject();
    }
    return withLineFeed(bytes.toByteArray());
  }

  private static void writeBinaries(JsonGenerator line, Table<?> table, StoredBody body) {
    boolean begun = false;
    for (int i = 0; i < body.binaries().size(); i++) {
      byte[] binary = body.binaries().get(i);
      if (binary == null) {
        continue;
      }
      if (!begun) {
        line.writeName(BINARY);
        line.writeStartObject();
        begun = true;
      }
      line.writeName(table.binaries().get(i).name());
      line.writeBinary(binary);
    }
    if (begun) {
      line.writeEndObject();
    }
  }

  static byte[] footer(long records, String sha256) {
    ObjectNode line = Json.mapper().createObjectNode();
    line.put(END, true);
    line.put(RECORDS, records);
    line.put(SHA256, sha256);
    return withLineFeed(Json.bytes(line));
  }

  private static byte[] withLineFeed(byte[] line) {
    byte[] whole = java.util.Arrays.copyOf(line, line.length + 1);
    whole[line.length] = '\n';
    return whole;
  }
}
