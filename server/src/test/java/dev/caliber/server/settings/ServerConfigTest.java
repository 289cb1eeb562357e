package dev.caliber.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.models.ModelsConfig.EgressRules;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every key of {@code [server]} is read into its own setting. */
class ServerConfigTest {
  private static final String OTHER =
      """
      [server]
      host = "::1"
      port = 8080
      allowed-hosts = ["caliber.example"]
      require-api-key = "always"
      default-space = "team-a"
      [server.limits]
      body-size = "1MiB"
      concurrent-requests = 7
      queue-timeout = "3s"
      idle-timeout = "14s"
      shutdown-timeout = "5s"
      page-size = 11
      default-hits = 12
      commit-operations = 13
      streams = 14
      burst = 15
      requests-per-second = 16.5
      min-body-rate = "18B"
      header-timeout = "30s"
      connections = 19
      connections-per-address = 31
      streams-per-key = 20
      logins-per-key = 21
      [server.tls]
      certificate = "server.pem"
      key = "server.key"
      [server.idempotency]
      retention = "1h"
      pending-timeout = "9s"
      [server.events]
      heartbeat-interval = "6s"
      batch = 17
      [server.audit]
      retention = "2h"
      [server.login]
      lifetime = "3h"
      [server.mcp]
      cache-ttl = "6m"
      start-timeout = "7s"
      idle-timeout = "8m"
      [server.proxy]
      endpoint = "https://models.example/v1"
      model = "m"
      key-variable = "KEY"
      memory-introduction = "Known:"
      context-tokens = 18
      concurrency = 19
      connect-timeout = "20s"
      read-timeout = "21s"
      response-timeout = "22s"
      response-limit = "2MiB"
      [server.embeddings]
      max-inputs = 32
      max-tokens = 33
      [server.webhooks]
      hosts = ["*"]
      private-hosts = ["a.example"]
      plaintext-hosts = ["b.example"]
      max-per-space = 23
      key-variable = "HOOKS"
      connect-timeout = "24s"
      read-timeout = "25s"
      response-timeout = "26s"
      response-limit = "3KiB"
      [server.grpc]
      calls-per-connection = 29
      port = 27
      idle-timeout = "28s"
      [server.telemetry]
      exporter = "otlp"
      endpoint = "https://collector.example/v1/traces"
      include-query-text = true
      """;

  @Test
  @DisplayName("the starter file sets every key of the server")
  void theStarterIsComplete() {
    ServerConfig starter = ServerConfig.starter();
    assertThat(starter.listening().host()).isEqualTo("127.0.0.1");
    assertThat(starter.defaultSpace()).isEqualTo(SpaceId.DEFAULT);
  }

  @Test
  @DisplayName("every key of the server sets its own setting")
  void everyKeyIsMapped() {
    Settings settings = Settings.parse("other.toml", OTHER);
    ServerConfig config = ServerConfig.from(settings);
    settings.verify();
    assertThat(config)
        .isEqualTo(
            new ServerConfig(
                new ServerConfig.ListenSettings(
                    "::1", 8080, List.of("caliber.example"), ServerConfig.KeyPolicy.ALWAYS),
                new SpaceId("team-a"),
                new ServerConfig.ServerLimits(
                    DataSize.parse("1MiB"),
                    7,
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(14),
                    Duration.ofSeconds(5),
                    11,
                    12,
                    13,
                    14,
                    15,
                    16.5),
                new ServerConfig.NetworkSettings(
                    Optional.of(
                        new ServerConfig.TlsFiles(Path.of("server.pem"), Path.of("server.key"))),
                    new DataSize(18),
                    Duration.ofSeconds(30),
                    new ServerConfig.ConnectionLimits(19, 31),
                    new ServerConfig.PerKeyLimits(20, 21)),
                new ServerConfig.ServerRetention(
                    Duration.ofHours(1),
                    Duration.ofSeconds(9),
                    Duration.ofHours(2),
                    Duration.ofHours(3),
                    Duration.ofSeconds(6),
                    17),
                new ServerConfig.TelemetrySettings(
                    ServerConfig.TelemetryExporter.OTLP,
                    "https://collector.example/v1/traces",
                    true),
                new ServerConfig.McpSettings(
                    Duration.ofMinutes(6), Duration.ofSeconds(7), Duration.ofMinutes(8)),
                new ServerConfig.ProxySettings(
                    Optional.of(URI.create("https://models.example/v1")),
                    Optional.of("m"),
                    Optional.of("KEY"),
                    "Known:",
                    18,
                    19,
                    new ServerConfig.OutboundSettings(
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(21),
                        Duration.ofSeconds(22),
                        DataSize.parse("2MiB")),
                    new ServerConfig.EmbeddingRequestLimits(32, 33)),
                new ServerConfig.WebhookSettings(
                    new EgressRules(
                        "server.webhooks",
                        List.of("*"),
                        List.of("a.example"),
                        List.of("b.example")),
                    23,
                    "HOOKS",
                    new ServerConfig.OutboundSettings(
                        Duration.ofSeconds(24),
                        Duration.ofSeconds(25),
                        Duration.ofSeconds(26),
                        DataSize.parse("3KiB"))),
                new ServerConfig.GrpcSettings(27, 29, Duration.ofSeconds(28))));
  }

  @Test
  @DisplayName("an impossible port of the command line is refused")
  void refusesPorts() {
    ServerConfig starter = ServerConfig.starter();
    for (int port : new int[] {-5, -2, 70_000}) {
      assertThatThrownBy(() -> starter.withGrpcPort(port))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("--grpc-port");
      assertThatThrownBy(() -> starter.withAddress("127.0.0.1", port))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("--port");
    }
    assertThat(starter.withGrpcPort(-1).grpc().isEnabled()).isFalse();
  }

  @Test
  @DisplayName("a heartbeat that comes after a silent connection has ended is refused")
  void heartbeatsComeInTime() {
    Settings settings =
        Settings.parse(
            "other.toml",
            OTHER.replace("heartbeat-interval = \"6s\"", "heartbeat-interval = \"14s\""));
    ServerConfig.from(settings);
    assertThatThrownBy(settings::verify).hasMessageContaining("server.events.heartbeat-interval");
  }
}
