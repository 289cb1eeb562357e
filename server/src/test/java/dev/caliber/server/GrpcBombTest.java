package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caliber.testkit.grpc.ReflectionGrpcClient;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A compressed message that is small on the wire and large when it is unpacked. */
@Timeout(120)
class GrpcBombTest {
  private static final int UNPACKED = 64 << 20;

  @TempDir Path directory;

  @Test
  @DisplayName(
      "ERR-08: a compressed message over server.limits.body-size is refused with a plain reason")
  void bombsAreRefused() {
    try (TestServer server =
            TestServer.start(TestServer.setup(directory, TestServer.starter().withGrpcPort(0)));
        ReflectionGrpcClient client =
            new ReflectionGrpcClient(server.server().grpcPort().orElseThrow())) {
      StatusRuntimeException refused =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () ->
                  client.callRaw(
                      "Remember", new byte[UNPACKED], CallOptions.DEFAULT.withCompression("gzip")));
      assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(refused.getStatus().getDescription())
          .contains("expected at most 8388608 bytes")
          .doesNotContain("Exception", "\n");
      assertThat(client.call("ListSpaces", client.request("ListSpaces"))).isNotNull();
    }
  }
}
