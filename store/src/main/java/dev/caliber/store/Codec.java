package dev.caliber.store;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.Vectors;
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

/** Turns the records of one table into bodies and back. */
final class Codec<T> {

  private final Table<T> table;
  private final RecentRecords recent;
  private volatile @Nullable Forms forms;

  Codec(Table<T> table, RecentRecords recent) {
    this.table = table;
    this.recent = recent;
  }

  /** What Jackson has to know of a record: how to read it all, how to leave out, how to write. */
  private record Forms(ObjectReader whole, ObjectReader lenient, ObjectWriter writer) {
    static Forms of(Table<?> table) {
      JsonMapper mapper = mapperWithout(table.binaries().stream().map(Binary::name).toList());
      ObjectReader lenient = mapper.readerFor(table.type());
      return new Forms(
          lenient.with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES),
          lenient,
          mapper.writerFor(table.type()));
    }
  }

  /** Found out with the first record: most commands, and a start, touch few tables. */
  private Forms forms() {
    Forms known = forms;
    if (known == null) {
      known = Forms.of(table); // twice is harmless
      forms = known;
    }
    return known;
  }

  /** A decoded record; {@code complete} is false when the body says more than the record holds. */
  record Decoded<T>(T record, boolean complete) {}

  /** The body of a record that takes the place of none. */
  StoredBody encode(T record, long revision) {
    return new StoredBody(revision, table.schema(), json(record), binaries(record));
  }

  /**
   * The body of a record that takes the place of {@code old}, with everything in the old body that
   * this version does not know.
   */
  StoredBody encodeOver(StoredBody old, Decoded<T> before, T record, long revision) {
    if (before.complete() && old.schema() <= table.schema()) {
      return encode(record, revision);
    }
    ObjectNode next = tree(json(record));
    graftUnknown(upgraded(old), tree(json(before.record())), next);
    int schema = Math.max(old.schema(), table.schema());
    return new StoredBody(revision, schema, Json.bytes(next), binaries(record));
  }

  T decode(StoredBody body) {
    return decodeWatching(body).record();
  }

  /** Whether the bytes read as they stand: nothing is to be upgraded or put back. */
  private boolean isPlain(StoredBody body) {
    return body.schema() >= table.schema() && table.binaries().isEmpty();
  }

  /** The record, and whether that is all that the body says. */
  Decoded<T> decodeWatching(StoredBody body) {
    try {
      return isPlain(body)
          ? recent.of(table, body.json(), json -> watched(watching -> watching.readValue(json)))
          : watched(watching -> watching.readValue(assembled(body)));
    } catch (JacksonException e) {
      throw unreadable(e);
    }
  }

  /** A body with properties that the record has no place for is rare, and read a second time. */
  private Decoded<T> watched(Function<ObjectReader, T> reading) {
    try {
      return new Decoded<>(reading.apply(forms().whole()), true);
    } catch (UnrecognizedPropertyException _) {
      return new Decoded<>(reading.apply(forms().lenient()), false);
    }
  }

  private StoreException unreadable(JacksonException e) {
    return StoreException.corrupt(
        "The body of a %s does not read as %s (%s)"
            .formatted(table.name(), table.type().getSimpleName(), e.getClass().getSimpleName()));
  }

  private byte[] json(T record) {
    try {
      return forms().writer().writeValueAsBytes(record);
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
    for (Binary<T> binary : table.binaries()) {
      binaries.add(binary.value().apply(record));
    }
    return binaries;
  }

  /** The body as a tree of this version, binaries put back in their places. */
  private ObjectNode assembled(StoredBody body) {
    ObjectNode node = upgraded(body);
    for (int i = 0; i < body.binaries().size(); i++) {
      byte[] bytes = body.binaries().get(i);
      if (bytes != null) {
        putBinary(node, table.binaries().get(i), bytes);
      }
    }
    return node;
  }

  private static void putBinary(ObjectNode node, Binary<?> binary, byte[] bytes) {
    if (!binary.vector()) {
      node.put(binary.name(), bytes);
      return;
    }
    ArrayNode numbers = node.putArray(binary.name());
    for (float number : Vectors.fromBytes(bytes)) {
      numbers.add(number);
    }
  }

  private ObjectNode upgraded(StoredBody body) {
    ObjectNode node = tree(body.json());
    for (int schema = body.schema(); schema < table.schema(); schema++) {
      node = java.util.Objects.requireNonNull(table.upgrades().get(schema)).apply(node);
    }
    return node;
  }

  private ObjectNode tree(byte[] json) {
    try {
      return (ObjectNode) Json.mapper().readTree(json);
    } catch (JacksonException e) {
      throw unreadable(e);
    }
  }

  /** Copies into {@code next} what {@code old} has and {@code understood} has not. */
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
