package dev.caliber.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import dev.caliber.client.ApiDefinitions;
import dev.caliber.kernel.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The file {@code caliber.proto} equals the server's schema. */
class ProtoContractTest {
  @Test
  @DisplayName("caliber.proto matches openapi.yaml; a changed field number fails here")
  void theFileIsTheContract() throws IOException {
    String made = text(ProtoSchema.fileDescriptor().toProto());
    Path copy = Path.of(System.getProperty("caliber.root"), "server", "target", "caliber.proto");
    Files.writeString(copy, made);
    assertThat(new String(ApiDefinitions.proto(), StandardCharsets.UTF_8))
        .as("copy server/target/caliber.proto to the client's resources if the change is meant")
        .isEqualTo(made);
  }

  @Test
  @DisplayName("JSON becomes a message and the same JSON again, numbers and free objects included")
  void goesThereAndBack() {
    Descriptor type = ProtoSchema.fileDescriptor().findMessageTypeByName("StartTrajectoryRequest");
    JsonNode json =
        Json.mapper()
            .readTree(
                "{\"goal\": \"Ship\", \"tags\": [\"a\", \"b\"], \"metadata\": {\"n\": 1, \"x\": 1.5,"
                    + " \"t\": \"v\", \"f\": true}}");
    DynamicMessage message = JsonProtoConverter.toMessage(type, json);
    assertThat(Json.mapper().readTree(JsonProtoConverter.toJson(message).toString()))
        .isEqualTo(json);
  }

  private static String text(FileDescriptorProto file) {
    StringBuilder text = new StringBuilder();
    text.append(
        "// The contract of a Caliber server for gRPC. It is made of openapi.yaml, which says what each\n");
    text.append("// operation and property means; ids are ULIDs, times RFC 3339 in UTC.\n");
    text.append("syntax = \"proto3\";\n\npackage ").append(file.getPackage()).append(";\n\n");
    file.getDependencyList().forEach(each -> text.append("import \"%s\";\n".formatted(each)));
    text.append(
        "\noption java_multiple_files = true;\noption java_package = \"%s\";\n"
            .formatted(file.getOptions().getJavaPackage()));
    text.append("\nservice %s {\n".formatted(file.getService(0).getName()));
    List<MethodDescriptorProto> methods = file.getService(0).getMethodList();
    methods.forEach(method -> text.append(line(method, methods)));
    text.append("}\n");
    file.getMessageTypeList().forEach(message -> text.append(block(message)));
    return text.toString();
  }

  private static String line(MethodDescriptorProto method, List<MethodDescriptorProto> all) {
    return "  rpc %s(%s) returns (%s%s);\n"
        .formatted(
            method.getName(),
            inside(method.getInputType(), all),
            method.getServerStreaming() ? "stream " : "",
            inside(method.getOutputType(), all));
  }

  /** Returns the qualified type; in a service, a method's name hides the message of that name. */
  private static String inside(String type, List<MethodDescriptorProto> methods) {
    boolean hidden = methods.stream().anyMatch(method -> method.getName().equals(shortened(type)));
    return hidden ? type : shortened(type);
  }

  private static String block(DescriptorProto message) {
    StringBuilder text = new StringBuilder("\nmessage %s {\n".formatted(message.getName()));
    for (FieldDescriptorProto field : message.getFieldList()) {
      text.append("  ").append(label(field));
      text.append(type(field)).append(' ').append(field.getName());
      text.append(" = ").append(field.getNumber()).append(";\n");
    }
    return text.append("}\n").toString();
  }

  private static String label(FieldDescriptorProto field) {
    if (field.getLabel() == FieldDescriptorProto.Label.LABEL_REPEATED) {
      return "repeated ";
    }
    return field.getProto3Optional() ? "optional " : "";
  }

  private static String type(FieldDescriptorProto field) {
    return field.hasTypeName()
        ? shortened(field.getTypeName())
        : field.getType().name().substring("TYPE_".length()).toLowerCase(Locale.ROOT);
  }

  private static String shortened(String type) {
    return type.replaceFirst("^\\.(caliber\\.v1\\.)?", "");
  }
}
