package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;

/** The client of the MCP Java SDK. */
class McpJavaClientTest {
  private final Set<String> called = new TreeSet<>();

  @TempDir Path directory;
  private TestServer server;
  private McpSyncClient client;

  @BeforeEach
  void connect() {
    server = TestServer.start(directory);
    client =
        McpClient.sync(
                HttpClientStreamableHttpTransport.builder(server.server().address().toString())
                    .endpoint("/mcp")
                    .build())
            .build();
  }

  @AfterEach
  void leave() {
    client.close();
    server.close();
  }

  @Test
  @DisplayName("The Java SDK's client shakes hands, lists and calls every tool, reads resources")
  void servesTheJavaClient() {
    assertThat(client.initialize().protocolVersion()).isEqualTo("2025-11-25");
    remembers();
    returns();
    worksTogether();
    keepsAGraph();
    assertThat(client.listTools().tools())
        .extracting(McpSchema.Tool::name)
        .containsExactlyInAnyOrderElementsOf(called);
    McpSchema.Resource first = client.listResources().resources().getFirst();
    assertThat(client.readResource(first).contents().toString())
        .contains("Alice prefers window seats");
    assertThat(client.listResourceTemplates().resourceTemplates()).hasSize(3);
    assertThat(client.listPrompts().prompts()).isEmpty();
    assertThat(called("recall", "{\"qeury\": \"seats\"}").isError()).isTrue();
  }

  private void remembers() {
    call("remember", "{\"text\": \"Alice prefers window seats\", \"subject\": \"alice\"}");
    assertThat(call("recall", "{\"query\": \"window seats\"}").toString())
        .contains("Alice prefers window seats");
    String note =
        call(
                "write_note",
                """
                {"entity": "payments", "entity_type": "service", "type": "GOTCHA",
                 "content": "Refunds take a day"}
                """)
            .path("id")
            .asString();
    assertThat(call("forget", "{\"id\": \"%s\"}".formatted(note)).path("records")).hasSize(1);
  }

  private void returns() {
    String trajectory =
        call("remember", "{\"text\": \"Where is my parcel?\", \"session\": \"t7\"}")
            .at("/turn/trajectory")
            .asString();
    String window =
        call("assemble_context", "{\"session\": \"t7\", \"max_tokens\": 500}")
            .at("/window/id")
            .asString();
    assertThat(call("explain_window", "{\"window\": \"%s\"}".formatted(window)).path("inclusions"))
        .isNotEmpty();
    String place = "{\"trajectory\": \"%s\"}".formatted(trajectory);
    call("checkpoint", place);
    assertThat(call("recover", place).at("/done/new_scope").asString()).isNotEmpty();
  }

  private void worksTogether() {
    for (String name : List.of("anna", "ben")) {
      call("register_agent", "{\"agent\": \"%s\", \"type\": \"coder\"}".formatted(name));
    }
    String lease =
        call(
                "acquire_lease",
                "{\"agent\": \"anna\", \"resource\": {\"type\": \"file\", \"id\": \"a\"}}")
            .at("/lease/id")
            .asString();
    call("release_lease", "{\"agent\": \"anna\", \"lease\": \"%s\"}".formatted(lease));
    call(
        "send_message",
        "{\"from\": \"anna\", \"to\": {\"agent\": \"ben\"}, \"type\": \"hint\", \"payload\": 1}");
    assertThat(call("receive_messages", "{\"agent\": \"ben\"}").path("items")).hasSize(1);
  }

  private void keepsAGraph() {
    call(
        "create_entities",
        """
        {"entities": [{"name": "Ada", "entityType": "person", "observations": []},
                      {"name": "Acme", "entityType": "firm", "observations": []}]}
        """);
    String relation =
        "{\"relations\": [{\"from\": \"Ada\", \"to\": \"Acme\", \"relationType\": \"works_at\"}]}";
    call("create_relations", relation);
    call(
        "add_observations",
        "{\"observations\": [{\"entityName\": \"Ada\", \"contents\": [\"Owns a cat\"]}]}");
    assertThat(call("search_nodes", "{\"query\": \"cat\"}").path("entities")).hasSize(1);
    assertThat(call("read_graph", "{}").path("relations")).hasSize(1);
    call(
        "delete_observations",
        "{\"deletions\": [{\"entityName\": \"Ada\", \"observations\": [\"Owns a cat\"]}]}");
    call("delete_relations", relation);
    call("delete_entities", "{\"entityNames\": [\"Ada\", \"Acme\"]}");
    assertThat(call("open_nodes", "{\"names\": [\"Ada\"]}").path("entities")).isEmpty();
  }

  /** Calls a tool and returns its answer, which must not be an error. */
  private JsonNode call(String tool, String arguments) {
    McpSchema.CallToolResult result = called(tool, arguments);
    assertThat(result.isError()).as("%s: %s", tool, result.content()).isNotEqualTo(true);
    return Json.mapper().valueToTree(result.structuredContent());
  }

  private McpSchema.CallToolResult called(String tool, String arguments) {
    called.add(tool);
    Map<String, Object> named = Json.mapper().readValue(arguments, new TypeReference<>() {});
    return client.callTool(McpSchema.CallToolRequest.builder(tool).arguments(named).build());
  }
}
