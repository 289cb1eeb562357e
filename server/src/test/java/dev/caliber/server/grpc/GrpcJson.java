package dev.caliber.server.grpc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A converter between messages and JSON, for tests of other packages. */
@NullMarked
public final class GrpcJson {
  private GrpcJson() {}

  public static ObjectNode json(Message message) {
    return JsonProtoConverter.toJson(message);
  }

  public static DynamicMessage message(Descriptor type, JsonNode json) {
    return JsonProtoConverter.toMessage(type, json);
  }
}
