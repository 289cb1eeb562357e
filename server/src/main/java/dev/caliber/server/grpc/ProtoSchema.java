package dev.caliber.server.grpc;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileOptions;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.StructProto;
import dev.caliber.kernel.Json;
import dev.caliber.server.operation.ApiContract;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The contract as a protobuf schema. An operation is a method, its parameters and body properties
 * are the fields of one request, and a schema with properties is a message. Field numbers follow
 * the order of the contract, so that its lists may only grow at the end; the test of {@code
 * caliber.proto} checks that.
 */
final class ProtoSchema {
  static final String PACKAGE = "caliber.v1";
  static final String SERVICE = "Caliber";
  static final String EVENTS = "StreamEvents";
  static final String STREAM_RECALL = "StreamRecall";

  private static final String PROPERTIES = "properties";

  private final ApiContract contract;
  private final ProtoDescriptorBuilder messages;
  private final ServiceDescriptorProto.Builder service =
      ServiceDescriptorProto.newBuilder().setName(SERVICE);

  private ProtoSchema(ApiContract contract) {
    this.contract = contract;
    this.messages = new ProtoDescriptorBuilder(contract.schemas());
  }

  /** The file with all messages and the service. */
  static FileDescriptor fileDescriptor() {
    try {
      FileDescriptorProto proto = new ProtoSchema(ApiContract.instance()).fileProto();
      return FileDescriptor.buildFrom(proto, new FileDescriptor[] {StructProto.getDescriptor()});
    } catch (DescriptorValidationException e) {
      throw new AssertionError("the contract does not map to gRPC", e);
    }
  }

  private FileDescriptorProto fileProto() {
    messages.addComponentSchemas();
    contract.operations().forEach(this::addOperation);
    addEventStream();
    addRecallStream();
    FileDescriptorProto.Builder file =
        FileDescriptorProto.newBuilder()
            .setName("caliber.proto")
            .setPackage(PACKAGE)
            .setSyntax("proto3")
            .addDependency(StructProto.getDescriptor().getName())
            .setOptions(
                FileOptions.newBuilder()
                    .setJavaPackage("dev.caliber.v1")
                    .setJavaMultipleFiles(true));
    messages.messages().forEach(file::addMessageType);
    return file.addService(service).build();
  }

  private void addOperation(String operation) {
    String name = ProtoDescriptorBuilder.toCamelCase(operation);
    String request =
        messages.addMessage(name + "Request", objectSchema(contract.inputProperties(operation)));
    String response =
        messages.responseMessageName(name + "Response", contract.answerSchema(operation));
    addMethod(name, request, response, false);
  }

  private static ObjectNode objectSchema(JsonNode fields) {
    ObjectNode object = Json.mapper().createObjectNode().put("type", "object");
    object.set(PROPERTIES, fields);
    return object;
  }

  private void addMethod(String name, String request, String response, boolean streaming) {
    service.addMethod(
        MethodDescriptorProto.newBuilder()
            .setName(name)
            .setInputType(request)
            .setOutputType(response)
            .setServerStreaming(streaming));
  }

  /** Adds the method for what REST serves as server-sent events. */
  private void addEventStream() {
    ObjectNode request = Json.mapper().createObjectNode();
    request.putObject("after").put("type", "string");
    request.putObject("tables").put("type", "array").putObject("items").put("type", "string");
    ObjectNode event = Json.mapper().createObjectNode();
    event.putObject("id").put("type", "string");
    event.putObject("sequence").put("type", "integer");
    event.putObject("time").put("type", "string");
    ObjectNode change = Json.mapper().createObjectNode();
    Stream.of("table", "key", "kind")
        .forEach(field -> change.putObject(field).put("type", "string"));
    event.putObject("changes").put("type", "array").set("items", objectSchema(change));
    addMethod(
        EVENTS,
        messages.addMessage("StreamEventsRequest", objectSchema(request)),
        messages.addMessage("Event", objectSchema(event)),
        true);
  }

  /** Adds the method that streams the hits of a recall. */
  private void addRecallStream() {
    Optional<DescriptorProto> recalled =
        messages.messages().stream().filter(each -> each.getName().equals("Recalled")).findFirst();
    String hit =
        recalled.orElseThrow().getFieldList().stream()
            .filter(field -> field.getName().equals("hits"))
            .findFirst()
            .orElseThrow()
            .getTypeName();
    addMethod(STREAM_RECALL, ".%s.RecallRequest".formatted(PACKAGE), hit, true);
  }
}
