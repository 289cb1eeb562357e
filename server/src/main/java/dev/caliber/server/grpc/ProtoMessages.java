package dev.caliber.server.grpc;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import dev.caliber.kernel.Json;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Messages made of schemas. Texts of every kind (ids, times, constants) are strings, whole numbers
 * 64 bits; a value that may be anything is {@code google.protobuf.Value}, an object whose names are
 * not known a {@code Struct}. Every single value may be absent, as in JSON.
 */
final class ProtoMessages {
  private static final String STRUCT = ".google.protobuf.Struct";
  private static final String VALUE = ".google.protobuf.Value";
  private static final String REFERENCE = "$ref";
  private static final String PROPERTIES = "properties";

  private final JsonNode schemas;
  private final Map<String, DescriptorProto> made = new LinkedHashMap<>();

  ProtoMessages(JsonNode schemas) {
    this.schemas = schemas;
  }

  Collection<DescriptorProto> all() {
    return Collections.unmodifiableCollection(made.values());
  }

  /** What is said in many places. */
  void components() {
    schemas.properties().stream()
        .filter(schema -> isMessage(schema.getValue()))
        .forEach(schema -> add(schema.getKey(), schema.getValue()));
  }

  /** Of a type that a field can have. */
  private record Kind(FieldDescriptorProto.Type type, String name) {
    static Kind of(FieldDescriptorProto.Type type) {
      return new Kind(type, "");
    }

    static Kind message(String name) {
      return new Kind(FieldDescriptorProto.Type.TYPE_MESSAGE, name);
    }

    boolean isScalar() {
      return type != FieldDescriptorProto.Type.TYPE_MESSAGE;
    }
  }

  static String camel(String snake) {
    return Stream.of(snake.split("_", -1))
        .filter(word -> !word.isEmpty())
        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
        .collect(Collectors.joining());
  }

  private static boolean isMessage(JsonNode schema) {
    return schema.has(PROPERTIES) || schema.has("oneOf");
  }

  /** The name of the message that answers so, made if it has no name of its own. */
  String answer(String name, JsonNode schema) {
    Kind kind = kind(schema, name);
    if (kind.isScalar()) {
      throw new AssertionError("no answer is a single value: " + name);
    }
    return kind.name();
  }

  /** Makes a message; its name is one that a field can refer to. */
  String add(String name, JsonNode schema) {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
    ObjectNode fields = Json.mapper().createObjectNode();
    variants(schema)
        .flatMap(variant -> variant.path(PROPERTIES).properties().stream())
        .forEach(property -> fields.putIfAbsent(property.getKey(), property.getValue()));
    fields
        .properties()
        .forEach(property -> field(message, name, property.getKey(), property.getValue()));
    if (made.put(name, message.build()) != null) {
      throw new AssertionError("two messages have the name " + name);
    }
    return ".%s.%s".formatted(ProtoContract.PACKAGE, name);
  }

  /** Alternatives are one message with the fields of all of them. */
  private Stream<JsonNode> variants(JsonNode schema) {
    return schema.has("oneOf")
        ? schema.path("oneOf").valueStream().map(this::resolved)
        : Stream.of(schema);
  }

  private JsonNode resolved(JsonNode schema) {
    return schema.has(REFERENCE) ? schemas.path(named(schema)) : schema;
  }

  private static String named(JsonNode schema) {
    String reference = schema.path(REFERENCE).asString();
    return reference.substring(reference.lastIndexOf('/') + 1);
  }

  private void field(DescriptorProto.Builder message, String owner, String name, JsonNode schema) {
    JsonNode plain = resolved(schema);
    boolean repeated = plain.path("type").asString("").equals("array");
    Kind kind = kind(repeated ? plain.path("items") : schema, owner + camel(name));
    FieldDescriptorProto.Builder field =
        FieldDescriptorProto.newBuilder()
            .setName(name)
            .setNumber(message.getFieldCount() + 1)
            .setLabel(repeated ? Label.LABEL_REPEATED : Label.LABEL_OPTIONAL)
            .setType(kind.type());
    if (!kind.isScalar()) {
      field.setTypeName(kind.name());
    } else if (!repeated) {
      field.setProto3Optional(true).setOneofIndex(message.getOneofDeclCount());
      message.addOneofDecl(OneofDescriptorProto.newBuilder().setName("_" + name));
    }
    message.addField(field);
  }

  private Kind kind(JsonNode schema, String name) {
    if (schema.has(REFERENCE)) {
      JsonNode resolved = resolved(schema);
      return isMessage(resolved)
          ? Kind.message(".%s.%s".formatted(ProtoContract.PACKAGE, named(schema)))
          : kind(resolved, name);
    }
    if (isMessage(schema)) {
      return Kind.message(add(name, schema));
    }
    if (schema.has("const")) {
      return Kind.of(FieldDescriptorProto.Type.TYPE_STRING);
    }
    return switch (schema.path("type").asString("")) {
      case "string" ->
          Kind.of(
              schema.has("contentEncoding")
                  ? FieldDescriptorProto.Type.TYPE_BYTES
                  : FieldDescriptorProto.Type.TYPE_STRING);
      case "integer" -> Kind.of(FieldDescriptorProto.Type.TYPE_INT64);
      case "number" -> Kind.of(FieldDescriptorProto.Type.TYPE_DOUBLE);
      case "boolean" -> Kind.of(FieldDescriptorProto.Type.TYPE_BOOL);
      case "object" -> Kind.message(STRUCT);
      default -> Kind.message(VALUE);
    };
  }
}
