package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java SDK's own client. */
class McpJavaClientTest {
  @TempDir Path directory;

  @Test
  @DisplayName("The Java SDK's client shakes hands, lists tools, calls them and reads resources")
  void servesTheJavaClient() {
    try (TestServer server = TestServer.start(directory);
        McpSyncClient client =
            McpClient.sync(
                    HttpClientStreamableHttpTransport.builder(server.server().address().toString())
                        .endpoint("/mcp")
                        .build())
                .build()) {
      assertThat(client.initialize().protocolVersion()).isEqualTo("2025-11-25");
      assertThat(client.listTools().tools())
          .extracting(McpSchema.Tool::name)
          .contains("remember", "recall", "read_graph");
      client.callTool(
          McpSchema.CallToolRequest.builder("remember")
              .arguments(Map.of("text", "Alice prefers window seats"))
              .build());
      McpSchema.CallToolResult found =
          client.callTool(
              McpSchema.CallToolRequest.builder("recall")
                  .arguments(Map.of("query", "window seats"))
                  .build());
      assertThat(found.isError()).isNotEqualTo(true);
      assertThat(found.content().toString()).contains("Alice prefers window seats");
      assertThat(client.listResources().resources()).isNotEmpty();
    }
  }
}
