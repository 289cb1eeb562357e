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

/** Messages as the JSON that operations read and write, and back. */
final class JsonMessages {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final double EXACT_WHOLE = 1L << (Double.PRECISION - 1);

  private JsonMessages() {}

  /** What is not set is not there; so is an empty list, which cannot be told from none. */
  static ObjectNode json(Message message) {
    ObjectNode object = Json.mapper().createObjectNode();
    message
        .getAllFields()
        .forEach(
            (field, value) ->
                object.set(
                    field.getName(),
                    field.isRepeated() ? list(field, (List<?>) value) : single(field, value)));
    return object;
  }

  private static ArrayNode list(FieldDescriptor field, List<?> values) {
    ArrayNode list = NODES.arrayNode();
    values.forEach(value -> list.add(single(field, value)));
    return list;
  }

  private static JsonNode single(FieldDescriptor field, Object value) {
    return switch (value) {
      case String text -> NODES.stringNode(text);
      case Long number -> NODES.numberNode(number);
      case Double number -> NODES.numberNode(finite(number));
      case Boolean flag -> NODES.booleanNode(flag);
      case ByteString bytes ->
          NODES.stringNode(Base64.getEncoder().encodeToString(bytes.toByteArray()));
      case Message message -> nested(message);
      default -> throw new AssertionError("no field is of this type: " + field.getFullName());
    };
  }

  private static JsonNode nested(Message message) {
    try {
      String type = message.getDescriptorForType().getFullName();
      if (type.equals(Struct.getDescriptor().getFullName())) {
        return free(
            Value.newBuilder().setStructValue(Struct.parseFrom(message.toByteString())).build());
      }
      return type.equals(Value.getDescriptor().getFullName())
          ? free(Value.parseFrom(message.toByteString()))
          : json(message);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError("it was read before", e);
    }
  }

  /** Whole numbers stay whole, although this type knows only others. */
  private static JsonNode free(Value value) {
    return switch (value.getKindCase()) {
      case STRUCT_VALUE -> {
        ObjectNode object = NODES.objectNode();
        value.getStructValue().getFieldsMap().forEach((name, each) -> object.set(name, free(each)));
        yield object;
      }
      case LIST_VALUE -> {
        ArrayNode list = NODES.arrayNode();
        value.getListValue().getValuesList().forEach(each -> list.add(free(each)));
        yield list;
      }
      case STRING_VALUE -> NODES.stringNode(value.getStringValue());
      case BOOL_VALUE -> NODES.booleanNode(value.getBoolValue());
      case NUMBER_VALUE -> number(finite(value.getNumberValue()));
      case NULL_VALUE, KIND_NOT_SET -> NODES.nullNode();
    };
  }

  /** JSON has no word for the others, and no operation wants them. */
  private static double finite(double number) {
    if (!Double.isFinite(number)) {
      throw ServerException.invalidInput("", "Wanted a finite number, found another");
    }
    return number;
  }

  private static JsonNode number(double number) {
    boolean whole = number == Math.rint(number) && Math.abs(number) <= EXACT_WHOLE;
    return whole ? NODES.numberNode((long) number) : NODES.numberNode(number);
  }

  /** Properties that the contract does not name are left out. */
  static DynamicMessage message(Descriptor type, JsonNode json) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (FieldDescriptor field : type.getFields()) {
      JsonNode value = json.path(field.getName());
      if (field.isRepeated()) {
        value.forEach(each -> message.addRepeatedField(field, value(field, each)));
      } else if (!value.isMissingNode() && !value.isNull()) {
        message.setField(field, value(field, value));
      }
    }
    return message.build();
  }

  private static Object value(FieldDescriptor field, JsonNode json) {
    return switch (field.getJavaType()) {
      case STRING -> json.asString();
      case LONG -> json.asLong();
      case DOUBLE -> json.asDouble();
      case BOOLEAN -> json.asBoolean();
      case BYTE_STRING -> ByteString.copyFrom(Base64.getDecoder().decode(json.asString()));
      case MESSAGE -> nested(field.getMessageType(), json);
      default -> throw new AssertionError("no field is of this type: " + field.getFullName());
    };
  }

  private static Message nested(Descriptor type, JsonNode json) {
    if (type.equals(Struct.getDescriptor())) {
      return free(json).getStructValue();
    }
    return type.equals(Value.getDescriptor()) ? free(json) : message(type, json);
  }

  private static Value free(JsonNode json) {
    Value.Builder value = Value.newBuilder();
    return switch (json.getNodeType()) {
      case OBJECT -> {
        Struct.Builder struct = Struct.newBuilder();
        json.properties().forEach(each -> struct.putFields(each.getKey(), free(each.getValue())));
        yield value.setStructValue(struct).build();
      }
      case ARRAY -> {
        ListValue.Builder list = ListValue.newBuilder();
        json.forEach(each -> list.addValues(free(each)));
        yield value.setListValue(list).build();
      }
      case STRING -> value.setStringValue(json.asString()).build();
      case NUMBER -> value.setNumberValue(json.asDouble()).build();
      case BOOLEAN -> value.setBoolValue(json.asBoolean()).build();
      default -> value.setNullValue(NullValue.NULL_VALUE).build();
    };
  }
}
