package dev.caliber.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.models.ModelsConfig.Egress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every key of {@code [server]} is read, each into its place. */
class ServerConfigTest {
  private static final String OTHER =
      """
      [server]
      host = "::1"
      port = 8080
      names = ["caliber.example"]
      keys = "always"
      space = "team-a"
      [server.limits]
      body = "1MiB"
      requests = 7
      patience = "3s"
      idle = "14s"
      stop = "5s"
      page = 11
      hits = 12
      commit = 13
      streams = 14
      burst = 15
      rate = 16.5
      slowest = "18B"
      head = "30s"
      connections = 19
      connections-per-address = 31
      streams-per-key = 20
      logins-per-key = 21
      [server.tls]
      certificate = "server.pem"
      key = "server.key"
      [server.answers]
      retention = "1h"
      pending = "9s"
      [server.events]
      heartbeat = "6s"
      batch = 17
      [server.audit]
      retention = "2h"
      [server.login]
      lifetime = "3h"
      [server.mcp]
      fresh = "6m"
      start = "7s"
      idle = "8m"
      [server.proxy]
      endpoint = "https://models.example/v1"
      model = "m"
      key-variable = "KEY"
      introduction = "Known:"
      context-tokens = 18
      parallel = 19
      connect-timeout = "20s"
      silence = "21s"
      answer-timeout = "22s"
      answer-limit = "2MiB"
      [server.embeddings]
      inputs = 32
      tokens = 33
      [server.webhooks]
      hosts = ["*"]
      private-hosts = ["a.example"]
      plain-hosts = ["b.example"]
      limit = 23
      key-variable = "HOOKS"
      connect-timeout = "24s"
      silence = "25s"
      answer-timeout = "26s"
      answer-limit = "3KiB"
      [server.grpc]
      calls = 29
      port = 27
      idle = "28s"
      [server.telemetry]
      exporter = "otlp"
      endpoint = "https://collector.example/v1/traces"
      query-text = true
      """;

  @Test
  @DisplayName("the starter file sets every key of the server")
  void theStarterIsComplete() {
    ServerConfig starter = ServerConfig.starter();
    assertThat(starter.listening().host()).isEqualTo("127.0.0.1");
    assertThat(starter.space()).isEqualTo(SpaceId.DEFAULT);
  }

  @Test
  @DisplayName("every key of the server goes where it belongs")
  void everyKeyIsMapped() {
    Settings settings = Settings.parse("other.toml", OTHER);
    ServerConfig config = ServerConfig.from(settings);
    settings.verify();
    assertThat(config)
        .isEqualTo(
            new ServerConfig(
                new ServerConfig.Listening(
                    "::1", 8080, List.of("caliber.example"), ServerConfig.KeyPolicy.ALWAYS),
                new SpaceId("team-a"),
                new ServerConfig.Limits(
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
                new ServerConfig.Network(
                    Optional.of(new ServerConfig.Tls(Path.of("server.pem"), Path.of("server.key"))),
                    new DataSize(18),
                    Duration.ofSeconds(30),
                    new ServerConfig.Connections(19, 31),
                    new ServerConfig.PerKey(20, 21)),
                new ServerConfig.Keeping(
                    Duration.ofHours(1),
                    Duration.ofSeconds(9),
                    Duration.ofHours(2),
                    Duration.ofHours(3),
                    Duration.ofSeconds(6),
                    17),
                new ServerConfig.Telemetry(
                    ServerConfig.Exporter.OTLP, "https://collector.example/v1/traces", true),
                new ServerConfig.Mcp(
                    Duration.ofMinutes(6), Duration.ofSeconds(7), Duration.ofMinutes(8)),
                new ServerConfig.Proxy(
                    Optional.of(URI.create("https://models.example/v1")),
                    Optional.of("m"),
                    Optional.of("KEY"),
                    "Known:",
                    18,
                    19,
                    new ServerConfig.Waiting(
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(21),
                        Duration.ofSeconds(22),
                        DataSize.parse("2MiB")),
                    new ServerConfig.Embeddings(32, 33)),
                new ServerConfig.Webhooks(
                    new Egress(
                        "server.webhooks",
                        List.of("*"),
                        List.of("a.example"),
                        List.of("b.example")),
                    23,
                    "HOOKS",
                    new ServerConfig.Waiting(
                        Duration.ofSeconds(24),
                        Duration.ofSeconds(25),
                        Duration.ofSeconds(26),
                        DataSize.parse("3KiB"))),
                new ServerConfig.Grpc(27, 29, Duration.ofSeconds(28))));
  }

  @Test
  @DisplayName("a port that cannot be is refused, whoever names it")
  void refusesPorts() {
    ServerConfig starter = ServerConfig.starter();
    for (int port : new int[] {-5, -2, 70_000}) {
      assertThatThrownBy(() -> starter.withGrpcAt(port))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("--grpc-port");
      assertThatThrownBy(() -> starter.listeningAt("127.0.0.1", port))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("--port");
    }
    assertThat(starter.withGrpcAt(-1).grpc().isWanted()).isFalse();
  }

  @Test
  @DisplayName("a heartbeat that comes after a silent connection has ended is refused")
  void heartbeatsComeInTime() {
    Settings settings =
        Settings.parse("other.toml", OTHER.replace("heartbeat = \"6s\"", "heartbeat = \"14s\""));
    ServerConfig.from(settings);
    assertThatThrownBy(settings::verify).hasMessageContaining("server.events.heartbeat");
  }
}
