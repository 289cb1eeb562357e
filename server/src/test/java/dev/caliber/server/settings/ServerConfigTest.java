package dev.caliber.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.KernelException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the bounds of single settings of {@code [server]} cannot say. */
class ServerConfigTest {
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
    assertThatThrownBy(
            () -> ServerConfig.starter().with("server.events.heartbeat-interval = '30s'"))
        .hasMessageContaining("server.events.heartbeat-interval");
  }

  @Test
  void aCertificateNeedsItsKey() {
    assertThatThrownBy(() -> ServerConfig.starter().with("server.tls.certificate = 'a.pem'"))
        .hasMessageContaining("server.tls.certificate and server.tls.key");
    assertThat(
            ServerConfig.starter()
                .with("server.tls.certificate = 'a.pem'", "server.tls.key = 'a.key'")
                .withTlsBaseDirectory(Path.of("/etc"))
                .network()
                .tls())
        .contains(new ServerConfig.TlsFiles(Path.of("/etc/a.pem"), Path.of("/etc/a.key")));
  }

  @Test
  void webhooksNameTheirOwnSectionInRefusals() {
    assertThat(ServerConfig.starter().webhooks().egress().section()).isEqualTo("server.webhooks");
  }
}
