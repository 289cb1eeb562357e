package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.FieldType.Primitive;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A kind of record as configurations see it: the names that its fields have there, with their types
 * and where each value comes from. A function may return null where a record has no such value.
 */
final class RecordKind<R extends Record> {
  private final String name;
  private final Class<R> records;
  private final Map<String, Field<R>> fields = new LinkedHashMap<>();
  private Function<R, Labels> labels = _ -> Labels.none();
  private Set<InjectionMode.Word> modes = Set.of();

  private record Field<R>(FieldType type, Function<R, ? extends @Nullable Object> value) {}

  /** The kind of the records in the table, under the table's name. */
  RecordKind(Table<R> table, Class<R> records) {
    this.name = table.name();
    this.records = records;
  }

  RecordKind<R> id(String field, Function<R, @Nullable Id> value) {
    return with(field, new FieldType.Plain(Primitive.UUID), value);
  }

  RecordKind<R> text(String field, Function<R, @Nullable String> value) {
    return with(field, new FieldType.Plain(Primitive.TEXT), value);
  }

  RecordKind<R> whole(String field, Function<R, Integer> value) {
    return with(field, new FieldType.Plain(Primitive.INT), value);
  }

  RecordKind<R> real(String field, Function<R, @Nullable Double> value) {
    return with(field, new FieldType.Plain(Primitive.FLOAT), value);
  }

  RecordKind<R> time(String field, Function<R, @Nullable Instant> value) {
    return with(field, new FieldType.Plain(Primitive.TIMESTAMP), value);
  }

  /** In which modes windows take the records. */
  RecordKind<R> shown(InjectionMode.Word... ways) {
    modes = Set.of(ways);
    return this;
  }

  /** With what callers hang on the records: two fields by name, and any others as metadata. */
  RecordKind<R> labelled(Function<R, Labels> from) {
    labels = from;
    return text("subject", record -> Columns.text(from.apply(record).subject()))
        .text("external_id", record -> Columns.text(from.apply(record).externalId()));
  }

  /** One of the constants, in lower case. */
  <E extends Enum<E>> RecordKind<R> oneOf(String field, Class<E> type, Function<R, E> value) {
    var words = Stream.of(type.getEnumConstants()).map(RecordKind::word).toList();
    return with(field, new FieldType.Enumeration(words), value.andThen(RecordKind::word));
  }

  String name() {
    return name;
  }

  Set<InjectionMode.Word> modes() {
    return modes;
  }

  Map<String, FieldType> types() {
    var types = new LinkedHashMap<String, FieldType>();
    fields.forEach((field, declared) -> types.put(field, declared.type()));
    return Collections.unmodifiableMap(types);
  }

  boolean holds(Record record) {
    return records.isInstance(record);
  }

  Optional<Object> read(Record record, String field) {
    Field<R> declared = fields.get(field);
    R own = records.cast(record);
    return declared == null
        ? Optional.ofNullable(labels.apply(own).metadata().get(field))
        : Optional.ofNullable(declared.value().apply(own));
  }

  private RecordKind<R> with(
      String field, FieldType type, Function<R, ? extends @Nullable Object> value) {
    fields.put(field, new Field<>(type, value));
    return this;
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
