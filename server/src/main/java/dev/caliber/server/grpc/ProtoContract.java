package dev.caliber.server.grpc;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileOptions;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.StructProto;
import dev.caliber.client.Contract;
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
 * The contract as gRPC says it. An operation is a method, its parameters and the properties of its
 * body are the fields of one request, and a schema with properties is a message. Fields have the
 * numbers of their places, so that the contract grows at the ends of its lists; the test of {@code
 * caliber.proto} shows when it did not.
 */
final class ProtoContract {
  static final String PACKAGE = "caliber.v1";
  static final String SERVICE = "Caliber";
  static final String EVENTS = "Events";
  static final String STREAM_RECALL = "StreamRecall";

  private static final String OPERATION = "x-caliber-operation";
  private static final String PROPERTIES = "properties";

  private final JsonNode document;
  private final ProtoMessages messages;
  private final ServiceDescriptorProto.Builder service =
      ServiceDescriptorProto.newBuilder().setName(SERVICE);

  private ProtoContract(JsonNode document) {
    this.document = document;
    this.messages = new ProtoMessages(document.path("components").path("schemas"));
  }

  /** The file of all messages, and the service. */
  static FileDescriptor file() {
    try {
      FileDescriptorProto proto =
          new ProtoContract(new YAMLMapper().readTree(Contract.openApi())).proto();
      return FileDescriptor.buildFrom(proto, new FileDescriptor[] {StructProto.getDescriptor()});
    } catch (DescriptorValidationException e) {
      throw new AssertionError("the contract says something that gRPC cannot", e);
    }
  }

  private FileDescriptorProto proto() {
    Map<String, ObjectNode> requests = new LinkedHashMap<>();
    Map<String, JsonNode> answers = new LinkedHashMap<>();
    operations()
        .forEach(
            route -> {
              String name = route.operation().path(OPERATION).asString();
              ObjectNode fields =
                  requests.computeIfAbsent(name, _ -> Json.mapper().createObjectNode());
              fields(route).forEach((field, schema) -> fields.set(field, schema));
              answers.putIfAbsent(name, answer(route.operation()));
            });
    messages.components();
    requests.forEach((name, fields) -> method(name, fields, answers.get(name)));
    events();
    recall();
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
    messages.all().forEach(file::addMessageType);
    return file.addService(service).build();
  }

  /** A method of a path. */
  private record Route(String path, JsonNode operation) {}

  private Stream<Route> operations() {
    return document.path("paths").properties().stream()
        .flatMap(
            path -> path.getValue().valueStream().map(method -> new Route(path.getKey(), method)))
        .filter(route -> route.operation().has(OPERATION));
  }

  /** What a request says beside its headers: in its path, its query and its body. */
  private Map<String, JsonNode> fields(Route route) {
    Map<String, JsonNode> fields = new LinkedHashMap<>();
    route
        .operation()
        .path("parameters")
        .valueStream()
        .map(this::resolved)
        .filter(parameter -> !parameter.path("in").asString().equals("header"))
        .forEach(
            parameter -> fields.put(parameter.path("name").asString(), parameter.path("schema")));
    JsonNode body =
        resolved(
            route
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

  private JsonNode answer(JsonNode operation) {
    return operation
        .path("responses")
        .path("200")
        .path("content")
        .path("application/json")
        .path("schema");
  }

  private JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? document.at(node.path("$ref").asString().substring(1)) : node;
  }

  private void method(String operation, ObjectNode fields, @Nullable JsonNode answer) {
    String name = ProtoMessages.camel(operation);
    String request = messages.add(name + "Request", object(fields));
    String response = messages.answer(name + "Response", Objects.requireNonNull(answer));
    add(name, request, response, false);
  }

  private static ObjectNode object(JsonNode fields) {
    ObjectNode object = Json.mapper().createObjectNode().put("type", "object");
    object.set(PROPERTIES, fields);
    return object;
  }

  private void add(String name, String request, String response, boolean streaming) {
    service.addMethod(
        MethodDescriptorProto.newBuilder()
            .setName(name)
            .setInputType(request)
            .setOutputType(response)
            .setServerStreaming(streaming));
  }

  /** What REST says with server-sent events. */
  private void events() {
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
    event.putObject("changes").put("type", "array").set("items", object(change));
    add(
        EVENTS,
        messages.add("EventsRequest", object(request)),
        messages.add("Event", object(event)),
        true);
  }

  /** The hits of a recall, one by one. */
  private void recall() {
    Optional<DescriptorProto> recalled =
        messages.all().stream().filter(each -> each.getName().equals("Recalled")).findFirst();
    String hit =
        recalled.orElseThrow().getFieldList().stream()
            .filter(field -> field.getName().equals("hits"))
            .findFirst()
            .orElseThrow()
            .getTypeName();
    add(STREAM_RECALL, ".%s.RecallRequest".formatted(PACKAGE), hit, true);
  }
}
