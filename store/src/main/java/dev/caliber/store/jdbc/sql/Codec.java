package dev.caliber.store.jdbc.sql;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.Vectors;
import dev.caliber.store.BinaryColumn;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;

/** Converter between the records of one table and their stored bodies. */
public final class Codec<T> {

  private final Table<T> table;
  private final DecodedRecordCache recent;
  private volatile @Nullable JacksonBindings jacksonBindings;

  Codec(Table<T> table, DecodedRecordCache recent) {
    this.table = table;
    this.recent = recent;
  }

  /** Jackson readers and writer of one record type: strict reader, lenient reader, writer. */
  private record JacksonBindings(ObjectReader whole, ObjectReader lenient, ObjectWriter writer) {
    static JacksonBindings of(Table<?> table) {
      JsonMapper mapper = mapperWithout(table.binaries().stream().map(BinaryColumn::name).toList());
      ObjectReader lenient = mapper.readerFor(table.type());
      return new JacksonBindings(
          lenient.with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES),
          lenient,
          mapper.writerFor(table.type()));
    }
  }

  /** Returns the Jackson bindings, created with the first record: most processes use few tables. */
  private JacksonBindings jacksonBindings() {
    JacksonBindings known = jacksonBindings;
    if (known == null) {
      known = JacksonBindings.of(table); // creating it twice is harmless
      jacksonBindings = known;
    }
    return known;
  }

  /** Decoded record; {@code complete} is false if the body has properties that the record lacks. */
  public record DecodedRecord<T>(T record, boolean complete) {}

  /** Encodes a new record. */
  public StoredBody encode(T record, long revision) {
    return new StoredBody(revision, table.schema(), json(record), binaries(record));
  }

  /**
   * Encodes a record that replaces {@code old}. Properties of the old body that this version does
   * not know are kept.
   */
  public StoredBody encodeReplacing(
      StoredBody old, DecodedRecord<T> before, T record, long revision) {
    if (before.complete() && old.schema() <= table.schema()) {
      return encode(record, revision);
    }
    ObjectNode next = parseTree(json(record));
    graftUnknown(upgradedTree(old), parseTree(json(before.record())), next);
    int schema = Math.max(old.schema(), table.schema());
    return new StoredBody(revision, schema, Json.bytes(next), binaries(record));
  }

  public T decode(StoredBody body) {
    return decodeWithCompleteness(body).record();
  }

  /**
   * Returns whether the body has the current schema and no binaries, so that its bytes can be
   * parsed directly.
   */
  private boolean isCurrentAndWhole(StoredBody body) {
    return body.schema() >= table.schema() && table.binaries().isEmpty();
  }

  /** Decodes a body and reports whether the record holds all of its properties. */
  public DecodedRecord<T> decodeWithCompleteness(StoredBody body) {
    try {
      return isCurrentAndWhole(body)
          ? recent.findOrDecode(
              table,
              body.json(),
              json -> readWithCompleteness(watching -> watching.readValue(json)))
          : readWithCompleteness(watching -> watching.readValue(bodyTree(body)));
    } catch (JacksonException e) {
      throw unreadableBody(e);
    }
  }

  /**
   * Reads strictly, and only if that fails a second time leniently: unknown properties are rare.
   */
  private DecodedRecord<T> readWithCompleteness(Function<ObjectReader, T> reading) {
    try {
      return new DecodedRecord<>(reading.apply(jacksonBindings().whole()), true);
    } catch (UnrecognizedPropertyException _) {
      return new DecodedRecord<>(reading.apply(jacksonBindings().lenient()), false);
    }
  }

  private StoreException unreadableBody(JacksonException e) {
    return StoreException.corrupt(
        "The body of a %s cannot be read as %s (%s)"
            .formatted(table.name(), table.type().getSimpleName(), e.getClass().getSimpleName()));
  }

  private byte[] json(T record) {
    try {
      return jacksonBindings().writer().writeValueAsBytes(record);
    } catch (JacksonException e) {
      throw StoreException.invalidRecord(
          table.name(),
          "a value is not valid as JSON (%s)".formatted(e.getClass().getSimpleName()));
    }
  }

  private List<byte @Nullable []> binaries(T record) {
    if (table.binaries().isEmpty()) {
      return List.of();
    }
    List<byte @Nullable []> binaries = new ArrayList<>();
    for (BinaryColumn<T> binaryColumn : table.binaries()) {
      binaries.add(binaryColumn.value().apply(record));
    }
    return binaries;
  }

  /** Returns the body as a tree of the current schema, with its binaries put back. */
  private ObjectNode bodyTree(StoredBody body) {
    ObjectNode node = upgradedTree(body);
    for (int i = 0; i < body.binaries().size(); i++) {
      byte[] bytes = body.binaries().get(i);
      if (bytes != null) {
        putBinary(node, table.binaries().get(i), bytes);
      }
    }
    return node;
  }

  private static void putBinary(ObjectNode node, BinaryColumn<?> binaryColumn, byte[] bytes) {
    if (!binaryColumn.vector()) {
      node.put(binaryColumn.name(), bytes);
      return;
    }
    ArrayNode numbers = node.putArray(binaryColumn.name());
    for (float number : Vectors.fromBytes(bytes)) {
      numbers.add(number);
    }
  }

  private ObjectNode upgradedTree(StoredBody body) {
    ObjectNode node = parseTree(body.json());
    for (int schema = body.schema(); schema < table.schema(); schema++) {
      node = java.util.Objects.requireNonNull(table.upgrades().get(schema)).apply(node);
    }
    return node;
  }

  private ObjectNode parseTree(byte[] json) {
    try {
      return (ObjectNode) Json.mapper().readTree(json);
    } catch (JacksonException e) {
      throw unreadableBody(e);
    }
  }

  /** Copies into {@code next} the properties that {@code old} has and {@code understood} lacks. */
  private static void graftUnknown(ObjectNode old, ObjectNode understood, ObjectNode next) {
    for (Map.Entry<String, JsonNode> field : old.properties()) {
      JsonNode known = understood.get(field.getKey());
      JsonNode target = next.get(field.getKey());
      if (known == null && target == null) {
        next.set(field.getKey(), field.getValue());
      } else if (field.getValue() instanceof ObjectNode inner
          && known instanceof ObjectNode innerKnown
          && target instanceof ObjectNode innerNext) {
        graftUnknown(inner, innerKnown, innerNext);
      }
    }
  }

  private static JsonMapper mapperWithout(List<String> properties) {
    if (properties.isEmpty()) {
      return Json.mapper();
    }
    SimpleModule module = new SimpleModule();
    module.setSerializerModifier(
        new ValueSerializerModifier() {
          private static final long serialVersionUID = 1L;

          @Override
          public List<BeanPropertyWriter> changeProperties(
              SerializationConfig config,
              BeanDescription.Supplier bean,
              List<BeanPropertyWriter> writers) {
            return writers.stream().filter(w -> !properties.contains(w.getName())).toList();
          }
        });
    return Json.mapper().rebuild().addModule(module).build();
  }
}
