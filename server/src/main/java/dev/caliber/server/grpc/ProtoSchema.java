package dev.caliber.server.grpc;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileOptions;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.StructProto;
import dev.caliber.client.ApiDefinitions;
import dev.caliber.kernel.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

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

  private static final String OPERATION = "x-caliber-operation";
  private static final String PROPERTIES = "properties";

  private final JsonNode document;
  private final ProtoMessageBuilder messages;
  private final ServiceDescriptorProto.Builder service =
      ServiceDescriptorProto.newBuilder().setName(SERVICE);

  private ProtoSchema(JsonNode document) {
    this.document = document;
    this.messages = new ProtoMessageBuilder(document.path("components").path("schemas"));
  }

  /** The file with all messages and the service. */
  static FileDescriptor fileDescriptor() {
    try {
      FileDescriptorProto proto =
          new ProtoSchema(new YAMLMapper().readTree(ApiDefinitions.openApi())).fileProto();
      return FileDescriptor.buildFrom(proto, new FileDescriptor[] {StructProto.getDescriptor()});
    } catch (DescriptorValidationException e) {
      throw new AssertionError("the contract does not map to gRPC", e);
    }
  }

  private FileDescriptorProto fileProto() {
    Map<String, ObjectNode> requests = new LinkedHashMap<>();
    Map<String, JsonNode> answers = new LinkedHashMap<>();
    operations()
        .forEach(
            openApiOperation -> {
              String name = openApiOperation.operation().path(OPERATION).asString();
              ObjectNode fields =
                  requests.computeIfAbsent(name, _ -> Json.mapper().createObjectNode());
              requestFields(openApiOperation).forEach((field, schema) -> fields.set(field, schema));
              answers.putIfAbsent(name, responseSchema(openApiOperation.operation()));
            });
    messages.addComponentSchemas();
    requests.forEach((name, fields) -> addOperation(name, fields, answers.get(name)));
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

  /** An operation and its path. */
  private record OpenApiOperation(String path, JsonNode operation) {}

  private Stream<OpenApiOperation> operations() {
    return document.path("paths").properties().stream()
        .flatMap(
            path ->
                path.getValue()
                    .valueStream()
                    .map(method -> new OpenApiOperation(path.getKey(), method)))
        .filter(openApiOperation -> openApiOperation.operation().has(OPERATION));
  }

  /** Returns the fields of a request: those of its path, its query and its body. */
  private Map<String, JsonNode> requestFields(OpenApiOperation openApiOperation) {
    Map<String, JsonNode> fields = new LinkedHashMap<>();
    openApiOperation
        .operation()
        .path("parameters")
        .valueStream()
        .map(this::resolveReference)
        .filter(parameter -> !parameter.path("in").asString().equals("header"))
        .forEach(
            parameter -> fields.put(parameter.path("name").asString(), parameter.path("schema")));
    JsonNode body =
        resolveReference(
            openApiOperation
                .operation()
                .path("requestBody")
                .path("content")
                .path("application/json")
                .path("schema"));
    body.path(PROPERTIES)
        .properties()
        .forEach(property -> fields.put(property.getKey(), property.getValue()));
    return fields;
  }

  private JsonNode responseSchema(JsonNode operation) {
    return operation
        .path("responses")
        .path("200")
        .path("content")
        .path("application/json")
        .path("schema");
  }

  private JsonNode resolveReference(JsonNode node) {
    return node.has("$ref") ? document.at(node.path("$ref").asString().substring(1)) : node;
  }

  private void addOperation(String operation, ObjectNode fields, @Nullable JsonNode answer) {
    String name = ProtoMessageBuilder.toCamelCase(operation);
    String request = messages.addMessage(name + "Request", objectSchema(fields));
    String response =
        messages.responseMessageName(name + "Response", Objects.requireNonNull(answer));
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
