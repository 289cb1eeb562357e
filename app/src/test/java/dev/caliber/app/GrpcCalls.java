package dev.caliber.app;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.caliber.testkit.grpc.ReflectionGrpcClient;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls over gRPC, built from the server's reflection: messages of texts, whole numbers and flags,
 * which are all that agents need.
 */
@NullMarked
final class GrpcCalls implements Calls {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final Metadata.Key<String> CODE =
      Metadata.Key.of("caliber-code", Metadata.ASCII_STRING_MARSHALLER);

  private final ReflectionGrpcClient caller;

  GrpcCalls(int port) {
    this.caller = new ReflectionGrpcClient(port);
  }

  @Override
  public JsonNode ask(String operation, ObjectNode input, String key) throws Lost {
    String method = camel(operation);
    DynamicMessage request = message(caller.method(method).getInputType(), input);
    try {
      return json(caller.call(method, request, "idempotency-key", key));
    } catch (StatusRuntimeException e) {
      String code =
          Optional.ofNullable(e.getTrailers())
              .flatMap(trailers -> Optional.ofNullable(trailers.get(CODE)))
              .orElseThrow(() -> new Lost(e));
      if (e.getStatus().getCode() == io.grpc.Status.Code.UNAVAILABLE) {
        throw new Lost(e);
      }
      throw new Refused(code, e);
    }
  }

  private static String camel(String snake) {
    return Stream.of(snake.split("_", -1))
        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
        .collect(Collectors.joining());
  }

  private static DynamicMessage message(Descriptor type, JsonNode json) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (Map.Entry<String, JsonNode> each : json.properties()) {
      FieldDescriptor field = type.findFieldByName(each.getKey());
      if (field.isRepeated()) {
        each.getValue().forEach(one -> message.addRepeatedField(field, value(field, one)));
      } else {
        message.setField(field, value(field, each.getValue()));
      }
    }
    return message.build();
  }

  private static Object value(FieldDescriptor field, JsonNode json) {
    return switch (field.getJavaType()) {
      case LONG -> json.asLong();
      case BOOLEAN -> json.asBoolean();
      case MESSAGE -> message(field.getMessageType(), json);
      default -> json.asString();
    };
  }

  private static JsonNode json(Object value) {
    return switch (value) {
      case Message message -> {
        ObjectNode object = NODES.objectNode();
        message.getAllFields().forEach((field, each) -> object.set(field.getName(), json(each)));
        yield object;
      }
      case List<?> list -> {
        ArrayNode array = NODES.arrayNode();
        list.forEach(each -> array.add(json(each)));
        yield array;
      }
      case Long number -> NODES.numberNode(number);
      case Boolean flag -> NODES.booleanNode(flag);
      default -> NODES.stringNode(value.toString());
    };
  }

  @Override
  public void close() {
    caller.close();
  }
}
