package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import dev.caliber.kernel.Json;
import dev.caliber.models.ModelsConfig;
import dev.caliber.server.TestServer.Reply;
import dev.caliber.server.grpc.GrpcJson;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The same calls by REST, gRPC and MCP, each on a store of its own: the same results and codes. */
@Timeout(180)
class ParityTest {
  private static final Pattern ULID = Pattern.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}");
  private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final double ROUNDING = 100;
  private static final Pattern CODE = Pattern.compile("CALIBER_[A-Z_]+");

  /**
   * One call.
   *
   * @param tool what MCP calls it
   * @param rest where REST has it
   * @param input with the names of the operation; {@code $n} is the id that call n has answered
   */
  private record Row(String method, String rest, String tool, String input) {}

  private static final String UNKNOWN = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

  private static final List<Row> TABLE =
      List.of(
          row("Remember", "/remember", "remember", "{'text': 'I prefer tea', 'subject': 'alice'}"),
          row(
              "Remember",
              "/remember",
              "remember",
              "{'text': 'Hello', 'session': 's1', 'role': 'USER'}"),
          row("Remember", "/remember", "remember", "{'text': 'Hi', 'session': 's1', 'about': 'x'}"),
          row("Remember", "/remember", "remember", "{'text': ' '}"),
          row("Remember", "/remember", "remember", "{'text': 'x', 'role': 'USER'}"),
          row("Recall", "/recall", "recall", "{'query': 'tea', 'subject': 'alice', 'limit': 3}"),
          row("Recall", "/recall", "recall", "{'query': 'tea', 'limit': 100000}"),
          row("Recall", "/recall", "recall", "{'query': 'tea', 'session': 'nobody'}"),
          row("Recall", "/recall", "recall", "{'query': 'tea', 'types': ['NONSENSE']}"),
          row(
              "WriteNote",
              "/notes",
              "note",
              "{'entity': 'sky', 'entity_type': 'thing', 'type': 'FACT', 'content': 'It is blue',"
                  + " 'confidence': 0.5, 'metadata': {'n': 1, 'x': 1.5, 'f': true}}"),
          row(
              "WriteNote",
              "/notes",
              "note",
              "{'entity': 'sky', 'entity_type': 'thing', 'type': 'FACT', 'content': 'x', 'confidence': 7.0}"),
          row(
              "Assemble",
              "/context/assemble",
              "assemble_context",
              "{'session': 's1', 'query': 'tea', 'max_tokens': 500}"),
          row(
              "Assemble",
              "/context/assemble",
              "assemble_context",
              "{'session': 's1', 'max_tokens': 100000000}"),
          row("Assemble", "/context/assemble", "assemble_context", "{}"),
          row("ExplainWindow", "/windows/$11/explain", "explain_context", "{'id': '$11'}"),
          row(
              "ExplainWindow",
              "/windows/" + UNKNOWN + "/explain",
              "explain_context",
              "{'id': '" + UNKNOWN + "'}"),
          row(
              "ExplainWindow",
              "/windows/nonsense/explain",
              "explain_context",
              "{'id': 'nonsense'}"),
          row(
              "SaveCheckpoint",
              "/trajectories/" + UNKNOWN + "/checkpoints",
              "checkpoint",
              "{'trajectory': '" + UNKNOWN + "'}"),
          row(
              "RollBack",
              "/trajectories/" + UNKNOWN + "/rollback",
              "recover",
              "{'trajectory': '" + UNKNOWN + "'}"),
          row("Forget", "/forget", "forget", "{'subject': 'alice', 'dry_run': true}"),
          row("Forget", "/forget", "forget", "{'id': '" + UNKNOWN + "'}"),
          row("Forget", "/forget", "forget", "{}"),
          row("Forget", "/forget", "forget", "{'subject': 'alice'}"),
          row("Recall", "/recall", "recall", "{'query': 'tea', 'subject': 'alice'}"));

  private static Row row(String method, String rest, String tool, String input) {
    return new Row(method, rest, tool, input.replace('\'', '"'));
  }

  /** A way to ask: the answer, or {@code {"code": …}}. */
  private interface Speaker {
    JsonNode ask(Row row, String path, ObjectNode input);
  }

  @Test
  @DisplayName("the same calls reach the same results and the same codes by REST, gRPC and MCP")
  void allSayTheSame(@TempDir Path one, @TempDir Path two, @TempDir Path three) {
    List<String> rest;
    List<String> mcp;
    List<String> grpc;
    try (TestServer server = TestServer.start(setup(one))) {
      rest = said((row, path, input) -> rest(server, path, input));
    }
    try (TestServer server = TestServer.start(setup(two))) {
      McpCaller caller = new McpCaller(server);
      mcp = said((row, _, input) -> mcp(caller, row, input));
    }
    try (TestServer server = TestServer.start(setup(three));
        GrpcCaller caller = new GrpcCaller(server.server().grpcPort().orElseThrow())) {
      grpc = said((row, _, input) -> grpc(caller, row, input));
    }
    assertThat(mcp).isEqualTo(rest);
    assertThat(grpc).isEqualTo(rest);
    assertThat(rest.stream().filter(line -> line.contains("CALIBER_")).count()).isGreaterThan(10);
  }

  /** Without a model: what is found must not depend on how far one has come. */
  private static Setup setup(Path directory) {
    Setup plain = TestServer.setup(directory, TestServer.starter().withGrpcAt(0));
    return new Setup(
        plain.store(),
        plain.search(),
        plain.models().withProvider(ModelsConfig.Provider.NONE),
        plain.memory(),
        plain.runtime(),
        plain.agents(),
        plain.server(),
        plain.environment(),
        plain.clock(),
        plain.chance());
  }

  private static List<String> said(Speaker speaker) {
    List<String> said = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    Map<String, String> names = new LinkedHashMap<>();
    for (Row row : TABLE) {
      String input = row.input();
      String path = row.rest();
      for (int i = ids.size() - 1; i >= 0; i--) {
        input = input.replace("$" + i, ids.get(i));
        path = path.replace("$" + i, ids.get(i));
      }
      JsonNode answer = speaker.ask(row, path, (ObjectNode) Json.mapper().readTree(input));
      ids.add(answer.path("window").path("id").asString(""));
      said.add(row.method() + " " + row.input() + " -> " + plain(answer.toString(), names));
    }
    return said;
  }

  /** Ids by when they first came up; times, and hashes that they are in, are those of the run. */
  private static String plain(String text, Map<String, String> names) {
    String timeless = HASH.matcher(TIME.matcher(text).replaceAll("TIME")).replaceAll("HASH");
    return ULID.matcher(timeless)
        .replaceAll(found -> names.computeIfAbsent(found.group(), _ -> "id" + names.size()));
  }

  private static JsonNode rest(TestServer server, String path, ObjectNode input) {
    boolean reading = path.startsWith("/windows");
    Reply reply = reading ? server.get(path) : server.post(path, input.toString());
    return reply.status() == 200 ? normal(reply.body()) : code(reply.text("code"));
  }

  private static JsonNode mcp(McpCaller caller, Row row, ObjectNode input) {
    ObjectNode arguments = input.deepCopy();
    if (row.tool().equals("explain_context")) {
      arguments.set("window", arguments.remove("id"));
    }
    JsonNode result = caller.call(row.tool(), arguments.toString());
    if (!result.path("isError").asBoolean(false)) {
      return normal(result.path("structuredContent"));
    }
    String text = result.path("content").path(0).path("text").asString();
    Matcher code = CODE.matcher(text);
    return code(code.find() ? code.group() : text);
  }

  private static JsonNode grpc(GrpcCaller caller, Row row, ObjectNode input) {
    DynamicMessage request = GrpcJson.message(caller.method(row.method()).getInputType(), input);
    try {
      return normal(GrpcJson.json(caller.call(row.method(), request)));
    } catch (StatusRuntimeException e) {
      Metadata trailers = Objects.requireNonNull(e.getTrailers());
      return code(
          String.valueOf(
              trailers.get(Metadata.Key.of("caliber-code", Metadata.ASCII_STRING_MARSHALLER))));
    }
  }

  private static ObjectNode code(String code) {
    return Json.mapper().createObjectNode().put("code", code);
  }

  /**
   * Without empty lists and objects, which gRPC cannot tell from none, and with numbers as such.
   */
  private static JsonNode normal(JsonNode node) {
    if (node.isObject()) {
      ObjectNode object = Json.mapper().createObjectNode();
      node.propertyStream()
          .filter(property -> !property.getKey().equals("sequence"))
          .sorted(Map.Entry.comparingByKey())
          .forEach(
              property -> {
                JsonNode value = normal(property.getValue());
                if (!value.isContainer() || !value.isEmpty()) {
                  object.set(property.getKey(), value);
                }
              });
      return object;
    }
    if (node.isArray()) {
      ArrayNode list = Json.mapper().createArrayNode();
      node.forEach(each -> list.add(normal(each)));
      return list;
    }
    return node.isNumber()
        ? Json.mapper()
            .getNodeFactory()
            .numberNode(Math.rint(node.asDouble() * ROUNDING) / ROUNDING)
        : node;
  }
}
