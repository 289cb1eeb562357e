package dev.caliber.server.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.ListValue;
import com.google.protobuf.Message;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.caliber.kernel.Json;
import dev.caliber.server.operation.ServerException;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A converter between protobuf messages and the JSON of operations. */
final class JsonProtoConverter {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final double EXACT_WHOLE = 1L << (Double.PRECISION - 1);

  private JsonProtoConverter() {}

  /** Converts a message; leaves out unset fields and empty lists, which protobuf equates. */
  static ObjectNode toJson(Message message) {
    ObjectNode object = Json.mapper().createObjectNode();
    message
        .getAllFields()
        .forEach(
            (field, value) ->
                object.set(
                    field.getName(),
                    field.isRepeated()
                        ? toArray(field, (List<?>) value)
                        : toJsonValue(field, value)));
    return object;
  }

  private static ArrayNode toArray(FieldDescriptor field, List<?> values) {
    ArrayNode list = NODES.arrayNode();
    values.forEach(value -> list.add(toJsonValue(field, value)));
    return list;
  }

  private static JsonNode toJsonValue(FieldDescriptor field, Object value) {
    return switch (value) {
      case String text -> NODES.stringNode(text);
      case Long number -> NODES.numberNode(number);
      case Double number -> NODES.numberNode(requireFinite(number));
      case Boolean flag -> NODES.booleanNode(flag);
      case ByteString bytes ->
          NODES.stringNode(Base64.getEncoder().encodeToString(bytes.toByteArray()));
      case Message message -> nestedToJson(message);
      default -> throw new AssertionError("no message has a field of type " + field.getFullName());
    };
  }

  private static JsonNode nestedToJson(Message message) {
    try {
      String type = message.getDescriptorForType().getFullName();
      if (type.equals(Struct.getDescriptor().getFullName())) {
        return structValueToJson(
            Value.newBuilder().setStructValue(Struct.parseFrom(message.toByteString())).build());
      }
      return type.equals(Value.getDescriptor().getFullName())
          ? structValueToJson(Value.parseFrom(message.toByteString()))
          : toJson(message);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError("the lists were converted before", e);
    }
  }

  /** Converts a value; whole numbers become integers, although {@code Value} holds only doubles. */
  private static JsonNode structValueToJson(Value value) {
    return switch (value.getKindCase()) {
      case STRUCT_VALUE -> {
        ObjectNode object = NODES.objectNode();
        value
            .getStructValue()
            .getFieldsMap()
            .forEach((name, each) -> object.set(name, structValueToJson(each)));
        yield object;
      }
      case LIST_VALUE -> {
        ArrayNode list = NODES.arrayNode();
        value.getListValue().getValuesList().forEach(each -> list.add(structValueToJson(each)));
        yield list;
      }
      case STRING_VALUE -> NODES.stringNode(value.getStringValue());
      case BOOL_VALUE -> NODES.booleanNode(value.getBoolValue());
      case NUMBER_VALUE -> numberNode(requireFinite(value.getNumberValue()));
      case NULL_VALUE, KIND_NOT_SET -> NODES.nullNode();
    };
  }

  /** Refuses NaN and infinity, which JSON cannot express. */
  private static double requireFinite(double number) {
    if (!Double.isFinite(number)) {
      throw ServerException.invalidInput("", "Expected a finite number");
    }
    return number;
  }

  private static JsonNode numberNode(double number) {
    boolean whole = number == Math.rint(number) && Math.abs(number) <= EXACT_WHOLE;
    return whole ? NODES.numberNode((long) number) : NODES.numberNode(number);
  }

  /** Converts JSON; properties that the contract does not name are left out. */
  static DynamicMessage toMessage(Descriptor type, JsonNode json) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (FieldDescriptor field : type.getFields()) {
      JsonNode value = json.path(field.getName());
      if (field.isRepeated()) {
        value.forEach(each -> message.addRepeatedField(field, toFieldValue(field, each)));
      } else if (!value.isMissingNode() && !value.isNull()) {
        message.setField(field, toFieldValue(field, value));
      }
    }
    return message.build();
  }

  private static Object toFieldValue(FieldDescriptor field, JsonNode json) {
    return switch (field.getJavaType()) {
      case STRING -> json.asString();
      case LONG -> json.asLong();
      case DOUBLE -> json.asDouble();
      case BOOLEAN -> json.asBoolean();
      case BYTE_STRING -> ByteString.copyFrom(Base64.getDecoder().decode(json.asString()));
      case MESSAGE -> nestedToMessage(field.getMessageType(), json);
      default -> throw new AssertionError("no message has a field of type " + field.getFullName());
    };
  }

  private static Message nestedToMessage(Descriptor type, JsonNode json) {
    if (type.equals(Struct.getDescriptor())) {
      return structValueOf(json).getStructValue();
    }
    return type.equals(Value.getDescriptor()) ? structValueOf(json) : toMessage(type, json);
  }

  private static Value structValueOf(JsonNode json) {
    Value.Builder value = Value.newBuilder();
    return switch (json.getNodeType()) {
      case OBJECT -> {
        Struct.Builder struct = Struct.newBuilder();
        json.properties()
            .forEach(each -> struct.putFields(each.getKey(), structValueOf(each.getValue())));
        yield value.setStructValue(struct).build();
      }
      case ARRAY -> {
        ListValue.Builder list = ListValue.newBuilder();
        json.forEach(each -> list.addValues(structValueOf(each)));
        yield value.setListValue(list).build();
      }
      case STRING -> value.setStringValue(json.asString()).build();
      case NUMBER -> value.setNumberValue(json.asDouble()).build();
      case BOOLEAN -> value.setBoolValue(json.asBoolean()).build();
      default -> value.setNullValue(NullValue.NULL_VALUE).build();
    };
  }
}
