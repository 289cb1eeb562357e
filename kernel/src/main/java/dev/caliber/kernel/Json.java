package dev.caliber.kernel;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

/**
 * JSON format of Caliber. Equal values give equal bytes: properties come in the order of their
 * declaration, maps and sets in the order of their keys and elements. Names are snake_case, enums
 * are their constants' names, times are those of {@link Timestamps}; nulls and empty optionals are
 * left out. A record is written as its components, without computed values.
 *
 * <p>Reading tolerates unknown properties and no other deviation: a component without a value is an
 * error unless it is an {@code Optional}, no text becomes a number, and no number a text. Errors
 * name the line, the column and the path through records, and never repeat the content.
 */
public final class Json {
  private static final Limit DOCUMENT = new Limit("length of a JSON document", 64L << 20);
  private static final int DEEPEST = 256;
  private static final int LONGEST_TEXT = 32 << 20;
  private static final int LONGEST_NUMBER = 400;

  private static final JsonMapper MAPPER = create();

  private Json() {}

  /** Returns the mapper itself, for generic types and trees. */
  public static JsonMapper mapper() {
    return MAPPER;
  }

  /** Returns the value as JSON in UTF-8. */
  public static byte[] bytes(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JacksonException e) {
      throw unwritable(value, e);
    }
  }

  public static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JacksonException e) {
      throw unwritable(value, e);
    }
  }

  /** Parses one document in UTF-8. */
  public static <T> T read(byte[] json, Class<T> type) {
    DOCUMENT.requireWithin(json.length);
    try {
      return requirePresent(MAPPER.readValue(json, type), type);
    } catch (JacksonException e) {
      throw unreadable(type, e);
    }
  }

  public static <T> T read(String json, Class<T> type) {
    DOCUMENT.requireWithin(json.length());
    try {
      return requirePresent(MAPPER.readValue(json, type), type);
    } catch (JacksonException e) {
      throw unreadable(type, e);
    }
  }

  private static JsonMapper create() {
    var constraints =
        StreamReadConstraints.builder()
            .maxDocumentLength(DOCUMENT.max())
            .maxNestingDepth(DEEPEST)
            .maxStringLength(LONGEST_TEXT)
            .maxNameLength(LONGEST_TEXT)
            .maxNumberLength(LONGEST_NUMBER)
            .build();
    var values =
        new SimpleModule("caliber-values")
            .addSerializer(new InstantWriter())
            .addDeserializer(Instant.class, new InstantReader())
            .addSerializer(new IdWriter())
            .addDeserializer(Id.class, new IdReader());
    values.setValueInstantiators(new RecordInstantiator.RecordInstantiators());
    return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(constraints).build())
        .addModule(values)
        .annotationIntrospector(new RequiredPrimitives())
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .changeDefaultVisibility(
            found -> found.withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
        .changeDefaultPropertyInclusion(
            value -> value.withValueInclusion(JsonInclude.Include.NON_ABSENT))
        .disable(
            MapperFeature.SORT_PROPERTIES_ALPHABETICALLY, MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .enable(
            SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, SerializationFeature.ORDER_SET_ELEMENTS)
        .withCoercionConfig(
            LogicalType.Textual,
            text ->
                text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
        .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING, EnumFeature.READ_ENUMS_USING_TO_STRING)
        .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
        .disable(
            DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
            DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .enable(
            DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
            DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
            DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY,
            DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .build();
  }

  private static <T> T requirePresent(@Nullable T value, Class<T> type) {
    if (value == null) {
      throw KernelException.invalidValue(
          "JSON for " + type.getSimpleName(), "expected a value, found null");
    }
    return value;
  }

  private static KernelException unwritable(Object value, JacksonException e) {
    if (e.getCause() instanceof KernelException refusal) {
      return refusal;
    }
    var error =
        KernelException.invalidValue(
            "JSON of " + value.getClass().getSimpleName(),
            "the value cannot be written as JSON" + path(e));
    error.initCause(e);
    return error;
  }

  /*
   * Without the cause: its message repeats parts of the content, which may be secret and would end
   * up in logs.
   */
  private static KernelException unreadable(Class<?> type, JacksonException e) {
    String reason =
        switch (e) {
          case StreamConstraintsException _ -> "the document exceeds the limits of depth or length";
          case StreamReadException _ -> "the document is not well-formed JSON";
          default -> "a value has the wrong type";
        };
    return KernelException.invalidValue(
        "JSON for " + type.getSimpleName(), reason + path(e) + place(e.getLocation()));
  }

  private static String place(@Nullable TokenStreamLocation location) {
    return location == null || location.getLineNr() < 1
        ? ""
        : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
  }

  /**
   * Returns the names of record components on the path to the error. Keys of maps are content and
   * are left out.
   */
  private static String path(JacksonException e) {
    String path = e.getPath().stream().map(Json::step).collect(Collectors.joining("."));
    return path.isEmpty() ? "" : " at " + path;
  }

  private static String step(JacksonException.Reference reference) {
    String name = reference.getPropertyName();
    Object from = reference.from();
    boolean record = from instanceof Record || (from instanceof Class<?> type && type.isRecord());
    if (name != null) {
      return record ? name : "*";
    }
    return Integer.toString(reference.getIndex());
  }
}
