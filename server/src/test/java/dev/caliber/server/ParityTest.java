package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import dev.caliber.kernel.Json;
import dev.caliber.models.ModelsConfig;
import dev.caliber.server.TestServer.Reply;
import dev.caliber.server.grpc.GrpcJson;
import dev.caliber.testkit.grpc.ReflectionGrpcClient;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Equal calls by REST, gRPC and MCP, on separate stores, have the same results and codes. */
@Timeout(180)
class ParityTest {
  private static final Pattern ULID = Pattern.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}");
  private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  /** The commit in which a waiter enqueued; it varies because jobs of the server commit, too. */
  private static final Pattern PLACE = Pattern.compile("\"place\":[0-9.]+");

  private static final double ROUNDING = 100;
  private static final Pattern CODE = Pattern.compile("CALIBER_[A-Z_]+");

  /**
   * One call.
   *
   * @param tool the name of the MCP tool
   * @param rest the path in REST
   * @param input the input of the operation; {@code $n} is the id that call n returned, {@code $tn}
   *     its token
   */
  private record Row(String method, String rest, String tool, String input) {}

  /** Numbers of commits, which depend on other work of the store. */
  private static final Set<String> OF_THE_STORE = Set.of("sequence", "token", "revision");

  private static final String UNKNOWN = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

  private static final String FILE = "{'type': 'file', 'id': 'a.txt'}";

  /** Arguments that some tools name differently. */
  private static final Map<String, String> NAMED_BY_TOOL =
      Map.of("explain_window", "window", "release_lease", "lease");

  private static String fence(String token, String agent) {
    return "{'resource': %s, 'token': %s, 'agent': '%s'}".formatted(FILE, token, agent);
  }

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
          row("Recall", "/recall", "recall", "{'query': 'tea', 'session': 'unknown'}"),
          row("Recall", "/recall", "recall", "{'query': 'tea', 'types': ['NONSENSE']}"),
          row(
              "WriteNote",
              "/notes",
              "write_note",
              "{'entity': 'sky', 'entity_type': 'thing', 'type': 'FACT', 'content': 'It is blue',"
                  + " 'confidence': 0.5, 'metadata': {'n': 1, 'x': 1.5, 'f': true}}"),
          row(
              "WriteNote",
              "/notes",
              "write_note",
              "{'entity': 'sky', 'entity_type': 'thing', 'type': 'FACT', 'content': 'x', 'confidence': 7.0}"),
          row(
              "AssembleContext",
              "/context/assemble",
              "assemble_context",
              "{'session': 's1', 'query': 'tea', 'max_tokens': 500}"),
          row(
              "AssembleContext",
              "/context/assemble",
              "assemble_context",
              "{'session': 's1', 'max_tokens': 100000000}"),
          row("AssembleContext", "/context/assemble", "assemble_context", "{}"),
          row("ExplainWindow", "/windows/$11/explain", "explain_window", "{'id': '$11'}"),
          row(
              "ExplainWindow",
              "/windows/" + UNKNOWN + "/explain",
              "explain_window",
              "{'id': '" + UNKNOWN + "'}"),
          row("ExplainWindow", "/windows/nonsense/explain", "explain_window", "{'id': 'nonsense'}"),
          row("Checkpoint", "/trajectories/$1/checkpoint", "checkpoint", "{'trajectory': '$1'}"),
          row(
              "Checkpoint",
              "/trajectories/" + UNKNOWN + "/checkpoint",
              "checkpoint",
              "{'trajectory': '" + UNKNOWN + "'}"),
          row(
              "Recover",
              "/trajectories/$1/recover",
              "recover",
              "{'trajectory': '$1', 'dry_run': true}"),
          row("Recover", "/trajectories/$1/recover", "recover", "{'trajectory': '$1'}"),
          row(
              "Recover",
              "/trajectories/" + UNKNOWN + "/recover",
              "recover",
              "{'trajectory': '" + UNKNOWN + "'}"),
          row("RegisterAgent", "/agents", "register_agent", "{'agent': 'anna', 'type': 'coder'}"),
          row("RegisterAgent", "/agents", "register_agent", "{'agent': 'ben', 'type': 'coder'}"),
          row("RegisterAgent", "/agents", "register_agent", "{'agent': 'a b', 'type': 'coder'}"),
          row(
              "AwaitLease",
              "/leases/await",
              "acquire_lease",
              "{'agent': 'anna', 'resource': " + FILE + ", 'length': '10m'}"),
          row(
              "AwaitLease",
              "/leases/await",
              "acquire_lease",
              "{'agent': 'ben', 'resource': " + FILE + "}"),
          row(
              "AwaitLease",
              "/leases/await",
              "acquire_lease",
              "{'agent': 'eve', 'resource': " + FILE + "}"),
          row(
              "Remember",
              "/remember",
              "remember",
              "{'text': 'The file is mine', 'fence': " + fence("$t25", "anna") + "}"),
          row(
              "Remember",
              "/remember",
              "remember",
              "{'text': 'The file is his', 'fence': " + fence("$t25", "ben") + "}"),
          row(
              "Remember",
              "/remember",
              "remember",
              "{'text': 'x', 'fence': {'resource': " + FILE + "}}"),
          row(
              "SendMessage",
              "/messages",
              "send_message",
              "{'from': 'anna', 'to': {'agent': 'ben'}, 'type': 'hint', 'payload': {'n': 1}}"),
          row(
              "SendMessage",
              "/messages",
              "send_message",
              "{'from': 'eve', 'to': {'agent': 'ben'}, 'type': 'hint'}"),
          row(
              "AwaitMessages",
              "/agents/ben/await",
              "receive_messages",
              "{'agent': 'ben', 'limit': 3}"),
          row(
              "AwaitMessages",
              "/agents/ben/await",
              "receive_messages",
              "{'agent': 'ben', 'done': ['" + UNKNOWN + "']}"),
          row(
              "ReleaseLease",
              "/leases/$25/release",
              "release_lease",
              "{'id': '$25', 'agent': 'ben'}"),
          row(
              "ReleaseLease",
              "/leases/$25/release",
              "release_lease",
              "{'id': '$25', 'agent': 'anna'}"),
          row(
              "WriteNote",
              "/notes",
              "write_note",
              "{'entity': 'sky', 'entity_type': 'thing', 'type': 'FACT', 'content': 'It is grey',"
                  + " 'fence': "
                  + fence("$t25", "anna")
                  + "}"),
          row("Forget", "/forget", "forget", "{'subject': 'alice', 'dry_run': true}"),
          row("Forget", "/forget", "forget", "{'id': '" + UNKNOWN + "'}"),
          row("Forget", "/forget", "forget", "{}"),
          row("Forget", "/forget", "forget", "{'subject': 'alice'}"),
          row("Recall", "/recall", "recall", "{'query': 'tea', 'subject': 'alice'}"),
          row("Recall", "/recall", "recall", "{'query': 'tea', 'external_id': 'crm-7'}"),
          row("Forget", "/forget", "forget", "{'external_id': 'crm-7', 'dry_run': true}"));

  private static Row row(String method, String rest, String tool, String input) {
    return new Row(method, rest, tool, input.replace('\'', '"'));
  }

  /** A protocol: it returns the answer, or {@code {"code": …}}. */
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
        ReflectionGrpcClient caller =
            new ReflectionGrpcClient(server.server().grpcPort().orElseThrow())) {
      grpc = said((row, _, input) -> grpc(caller, row, input));
    }
    assertThat(mcp).isEqualTo(rest);
    assertThat(grpc).isEqualTo(rest);
    assertThat(rest.stream().filter(line -> line.contains("CALIBER_")).count()).isGreaterThan(18);
  }

  @Test
  @DisplayName("API-05: sources and packs are checked, parsed and composed alike by REST and gRPC")
  void sourcesAreReadAlike(@TempDir Path directory) {
    String source = Samples.json(Samples.SOURCE);
    String wrong = Samples.json(Samples.SOURCE.replace("retention:", "retentoin:"));
    String manifest =
        Base64.getEncoder().encodeToString("[meta]\n".getBytes(StandardCharsets.UTF_8));
    List<Row> rows =
        List.of(
            new Row("ValidateSource", "/dsl/validate", "", "{\"source\": %s}".formatted(source)),
            new Row("ValidateSource", "/dsl/validate", "", "{\"source\": %s}".formatted(wrong)),
            new Row("ValidateSource", "/dsl/validate", "", "{}"),
            new Row("ParseSource", "/dsl/parse", "", "{\"source\": %s}".formatted(source)),
            new Row("ParseSource", "/dsl/parse", "", "{\"source\": %s}".formatted(wrong)),
            new Row("CompileSource", "/dsl/compile", "", "{\"source\": %s}".formatted(source)),
            new Row("ComposePack", "/dsl/compose", "", packed()),
            new Row(
                "ComposePack",
                "/dsl/compose",
                "",
                "{\"files\": {\"cal.toml\": \"%s\"}}".formatted(manifest)));
    try (TestServer server = TestServer.start(setup(directory));
        ReflectionGrpcClient caller =
            new ReflectionGrpcClient(server.server().grpcPort().orElseThrow())) {
      for (Row row : rows) {
        ObjectNode input = (ObjectNode) Json.mapper().readTree(row.input());
        assertThat(normal(grpc(caller, row, input)))
            .as(row.toString())
            .isEqualTo(normal(rest(server, row.rest(), input)));
      }
    }
  }

  @Test
  @DisplayName("POL-02: a policy is run by hand alike by REST and gRPC, once for each key")
  void policiesAreRunAlike(@TempDir Path directory) {
    try (TestServer server = TestServer.start(setup(directory));
        ReflectionGrpcClient caller =
            new ReflectionGrpcClient(server.server().grpcPort().orElseThrow())) {
      server.post(
          "/dsl/deploy",
          "{\"name\": \"a\", \"source\": %s}".formatted(Samples.json(Samples.SOURCE)));
      Row told = row("RunPolicy", "/policies/told/run", "", "{'policy': 'told', 'key': 'k1'}");
      ObjectNode input = (ObjectNode) Json.mapper().readTree(told.input());
      JsonNode first = rest(server, told.rest(), input);
      JsonNode again = grpc(caller, told, input);
      while (!again.path("state").asString().equals("DONE")) {
        again = grpc(caller, told, input); // a job does the work meanwhile
      }
      assertThat(again.path("id").asString()).isEqualTo(first.path("id").asString()).isNotEmpty();
      assertThat(again.path("steps").asInt()).isEqualTo(1);
      Row unknown = row("RunPolicy", "/policies/unheard_of/run", "", "{'policy': 'unheard_of'}");
      ObjectNode wish = (ObjectNode) Json.mapper().readTree(unknown.input());
      assertThat(grpc(caller, unknown, wish))
          .isEqualTo(rest(server, unknown.rest(), wish))
          .isEqualTo(code("CALIBER_VALIDATION_UNKNOWN_RECORD"));
    }
  }

  private static String packed() {
    Path pack = Path.of(System.getProperty("caliber.root"), "lang/src/test/resources/pack_min");
    ObjectNode files = Json.mapper().createObjectNode();
    try (var all = Files.walk(pack)) {
      for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
        files.put(pack.relativize(file).toString(), Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Json.mapper().createObjectNode().set("files", files).toString();
  }

  /** Creates a setup without a model: results must not depend on the progress of embedding. */
  private static ServerSetup setup(Path directory) {
    ServerSetup plain = TestServer.setup(directory, TestServer.starter().withGrpcPort(0));
    return new ServerSetup(
        plain.store(),
        plain.search(),
        plain.models().withProvider(ModelsConfig.EmbeddingProvider.NONE),
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
    List<JsonNode> answers = new ArrayList<>();
    Map<String, String> names = new LinkedHashMap<>();
    for (Row row : TABLE) {
      String input = filled(row.input(), answers);
      String path = filled(row.rest(), answers);
      JsonNode answer = speaker.ask(row, path, (ObjectNode) Json.mapper().readTree(input));
      answers.add(answer);
      said.add(row.method() + " " + row.input() + " -> " + plain(normal(answer).toString(), names));
    }
    return said;
  }

  private static String filled(String text, List<JsonNode> answers) {
    String filled = text;
    for (int i = answers.size() - 1; i >= 0; i--) {
      JsonNode answer = answers.get(i);
      filled = filled.replace("$t" + i, answer.at("/lease/token").asString("0"));
      filled = filled.replace("$" + i, id(answer));
    }
    return filled;
  }

  private static String id(JsonNode answer) {
    return Stream.of("/window/id", "/lease/id", "/turn/trajectory")
        .map(place -> answer.at(place).asString(""))
        .filter(id -> !id.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** Replaces ids by the order of their first occurrence, and removes times and their hashes. */
  private static String plain(String text, Map<String, String> names) {
    String timeless = HASH.matcher(TIME.matcher(text).replaceAll("TIME")).replaceAll("HASH");
    return ULID.matcher(PLACE.matcher(timeless).replaceAll("\"place\":N"))
        .replaceAll(found -> names.computeIfAbsent(found.group(), _ -> "id" + names.size()));
  }

  private static JsonNode rest(TestServer server, String path, ObjectNode input) {
    boolean reading = path.startsWith("/windows");
    Reply reply = reading ? server.get(path) : server.post(path, input.toString());
    return reply.status() == 200 ? reply.body() : code(reply.text("code"));
  }

  private static JsonNode mcp(McpCaller caller, Row row, ObjectNode input) {
    ObjectNode arguments = input.deepCopy();
    Optional.ofNullable(NAMED_BY_TOOL.get(row.tool()))
        .ifPresent(name -> arguments.set(name, arguments.remove("id")));
    JsonNode result = caller.call(row.tool(), arguments.toString());
    if (!result.path("isError").asBoolean(false)) {
      return result.path("structuredContent");
    }
    String text = result.path("content").path(0).path("text").asString();
    Matcher code = CODE.matcher(text);
    return code(code.find() ? code.group() : text);
  }

  private static JsonNode grpc(ReflectionGrpcClient caller, Row row, ObjectNode input) {
    DynamicMessage request = GrpcJson.message(caller.method(row.method()).getInputType(), input);
    try {
      return GrpcJson.json(caller.call(row.method(), request));
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

  /** Removes empty lists and objects, which gRPC does not tell apart, and normalises numbers. */
  private static JsonNode normal(JsonNode node) {
    if (node.isObject()) {
      ObjectNode object = Json.mapper().createObjectNode();
      node.propertyStream()
          .filter(property -> !OF_THE_STORE.contains(property.getKey()))
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
