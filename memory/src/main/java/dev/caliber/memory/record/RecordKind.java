package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.FieldType.PrimitiveType;
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
 * Kind of record as configurations see it: the names and types of its fields, and the function that
 * reads each value. The function may return null if a record has no such value.
 */
final class RecordKind<R extends Record> {
  private final String name;
  private final Class<R> records;
  private final Map<String, KindField<R>> fields = new LinkedHashMap<>();
  private Function<R, Labels> labels = _ -> Labels.none();
  private Set<InjectionMode.InjectionModeName> modes = Set.of();

  private record KindField<R>(FieldType type, Function<R, ? extends @Nullable Object> value) {}

  /** Creates the kind of the records in a table, under the table's name. */
  RecordKind(Table<R> table, Class<R> records) {
    this.name = table.name();
    this.records = records;
  }

  RecordKind<R> id(String field, Function<R, @Nullable Id> value) {
    return withField(field, new FieldType.PlainFieldType(PrimitiveType.UUID), value);
  }

  RecordKind<R> text(String field, Function<R, @Nullable String> value) {
    return withField(field, new FieldType.PlainFieldType(PrimitiveType.TEXT), value);
  }

  RecordKind<R> integer(String field, Function<R, Integer> value) {
    return withField(field, new FieldType.PlainFieldType(PrimitiveType.INT), value);
  }

  RecordKind<R> real(String field, Function<R, @Nullable Double> value) {
    return withField(field, new FieldType.PlainFieldType(PrimitiveType.FLOAT), value);
  }

  RecordKind<R> time(String field, Function<R, @Nullable Instant> value) {
    return withField(field, new FieldType.PlainFieldType(PrimitiveType.TIMESTAMP), value);
  }

  /** Sets the modes in which windows include the records. */
  RecordKind<R> withModes(InjectionMode.InjectionModeName... ways) {
    modes = Set.of(ways);
    return this;
  }

  /** Adds the labels: two fields by name, any others as metadata. */
  RecordKind<R> withLabels(Function<R, Labels> from) {
    labels = from;
    return text("subject", record -> NullableColumns.textOrNull(from.apply(record).subject()))
        .text("external_id", record -> NullableColumns.textOrNull(from.apply(record).externalId()));
  }

  /** Adds a field with an enum constant in lower case. */
  <E extends Enum<E>> RecordKind<R> enumConstant(
      String field, Class<E> type, Function<R, E> value) {
    var words = Stream.of(type.getEnumConstants()).map(RecordKind::lowerCaseName).toList();
    return withField(
        field, new FieldType.EnumerationFieldType(words), value.andThen(RecordKind::lowerCaseName));
  }

  String name() {
    return name;
  }

  Set<InjectionMode.InjectionModeName> modes() {
    return modes;
  }

  Map<String, FieldType> fieldTypes() {
    var types = new LinkedHashMap<String, FieldType>();
    fields.forEach((field, declared) -> types.put(field, declared.type()));
    return Collections.unmodifiableMap(types);
  }

  boolean isKindOf(Record record) {
    return records.isInstance(record);
  }

  Optional<Object> read(Record record, String field) {
    KindField<R> declared = fields.get(field);
    R own = records.cast(record);
    return declared == null
        ? Optional.ofNullable(labels.apply(own).metadata().get(field))
        : Optional.ofNullable(declared.value().apply(own));
  }

  private RecordKind<R> withField(
      String field, FieldType type, Function<R, ? extends @Nullable Object> value) {
    fields.put(field, new KindField<>(type, value));
    return this;
  }

  private static String lowerCaseName(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
