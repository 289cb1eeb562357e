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
 * A builder of messages from JSON schemas. Texts of every kind (ids, times, constants) are strings,
 * whole numbers have 64 bits; a value of any type is {@code google.protobuf.Value}, an object with
 * unknown property names a {@code Struct}. Every single value may be absent, as in JSON.
 */
final class ProtoDescriptorBuilder {
  private static final String STRUCT = ".google.protobuf.Struct";
  private static final String VALUE = ".google.protobuf.Value";
  private static final String REFERENCE = "$ref";
  private static final String PROPERTIES = "properties";

  private final JsonNode schemas;
  private final Map<String, DescriptorProto> made = new LinkedHashMap<>();

  ProtoDescriptorBuilder(JsonNode schemas) {
    this.schemas = schemas;
  }

  Collection<DescriptorProto> messages() {
    return Collections.unmodifiableCollection(made.values());
  }

  /** Adds the messages of shared schemas. */
  void addComponentSchemas() {
    schemas.properties().stream()
        .filter(schema -> isMessage(schema.getValue()))
        .forEach(schema -> addMessage(schema.getKey(), schema.getValue()));
  }

  /** The type of a field. */
  private record ProtoFieldType(FieldDescriptorProto.Type type, String name) {
    static ProtoFieldType of(FieldDescriptorProto.Type type) {
      return new ProtoFieldType(type, "");
    }

    static ProtoFieldType ofMessage(String name) {
      return new ProtoFieldType(FieldDescriptorProto.Type.TYPE_MESSAGE, name);
    }

    boolean isScalar() {
      return type != FieldDescriptorProto.Type.TYPE_MESSAGE;
    }
  }

  static String toCamelCase(String snake) {
    return Stream.of(snake.split("_", -1))
        .filter(word -> !word.isEmpty())
        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
        .collect(Collectors.joining());
  }

  private static boolean isMessage(JsonNode schema) {
    return schema.has(PROPERTIES) || schema.has("oneOf");
  }

  /** Returns the name of an operation's response message, which is added if it is missing. */
  String responseMessageName(String name, JsonNode schema) {
    ProtoFieldType protoFieldType = fieldType(schema, name);
    if (protoFieldType.isScalar()) {
      throw new AssertionError("an answer cannot be a single value: " + name);
    }
    return protoFieldType.name();
  }

  /** Adds a message and returns the name by which a field refers to it. */
  String addMessage(String name, JsonNode schema) {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
    ObjectNode fields = Json.mapper().createObjectNode();
    variants(schema)
        .flatMap(variant -> variant.path(PROPERTIES).properties().stream())
        .forEach(property -> fields.putIfAbsent(property.getKey(), property.getValue()));
    fields
        .properties()
        .forEach(property -> addField(message, name, property.getKey(), property.getValue()));
    if (made.put(name, message.build()) != null) {
      throw new AssertionError("two messages have the name " + name);
    }
    return ".%s.%s".formatted(ProtoSchema.PACKAGE, name);
  }

  /** Returns the alternatives of a schema, which become one message with all their fields. */
  private Stream<JsonNode> variants(JsonNode schema) {
    return schema.has("oneOf")
        ? schema.path("oneOf").valueStream().map(this::resolveReference)
        : Stream.of(schema);
  }

  private JsonNode resolveReference(JsonNode schema) {
    return schema.has(REFERENCE) ? schemas.path(schemaName(schema)) : schema;
  }

  private static String schemaName(JsonNode schema) {
    String reference = schema.path(REFERENCE).asString();
    return reference.substring(reference.lastIndexOf('/') + 1);
  }

  private void addField(
      DescriptorProto.Builder message, String owner, String name, JsonNode schema) {
    JsonNode plain = resolveReference(schema);
    boolean repeated = plain.path("type").asString("").equals("array");
    ProtoFieldType protoFieldType =
        fieldType(repeated ? plain.path("items") : schema, owner + toCamelCase(name));
    FieldDescriptorProto.Builder field =
        FieldDescriptorProto.newBuilder()
            .setName(name)
            .setNumber(message.getFieldCount() + 1)
            .setLabel(repeated ? Label.LABEL_REPEATED : Label.LABEL_OPTIONAL)
            .setType(protoFieldType.type());
    if (!protoFieldType.isScalar()) {
      field.setTypeName(protoFieldType.name());
    } else if (!repeated) {
      field.setProto3Optional(true).setOneofIndex(message.getOneofDeclCount());
      message.addOneofDecl(OneofDescriptorProto.newBuilder().setName("_" + name));
    }
    message.addField(field);
  }

  private ProtoFieldType fieldType(JsonNode schema, String name) {
    if (schema.has(REFERENCE)) {
      JsonNode resolved = resolveReference(schema);
      return isMessage(resolved)
          ? ProtoFieldType.ofMessage(".%s.%s".formatted(ProtoSchema.PACKAGE, schemaName(schema)))
          : fieldType(resolved, name);
    }
    if (isMessage(schema)) {
      return ProtoFieldType.ofMessage(addMessage(name, schema));
    }
    if (schema.has("const")) {
      return ProtoFieldType.of(FieldDescriptorProto.Type.TYPE_STRING);
    }
    return switch (schema.path("type").asString("")) {
      case "string" ->
          ProtoFieldType.of(
              schema.has("contentEncoding")
                  ? FieldDescriptorProto.Type.TYPE_BYTES
                  : FieldDescriptorProto.Type.TYPE_STRING);
      case "integer" -> ProtoFieldType.of(FieldDescriptorProto.Type.TYPE_INT64);
      case "number" -> ProtoFieldType.of(FieldDescriptorProto.Type.TYPE_DOUBLE);
      case "boolean" -> ProtoFieldType.of(FieldDescriptorProto.Type.TYPE_BOOL);
      case "object" -> ProtoFieldType.ofMessage(STRUCT);
      default -> ProtoFieldType.ofMessage(VALUE);
    };
  }
}
