package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caliber.testkit.grpc.GrpcCaller;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A message that is small on its way and large when it is unpacked. */
@Timeout(120)
class GrpcBombTest {
  private static final int UNPACKED = 64 << 20;

  @TempDir Path directory;

  @Test
  @DisplayName(
      "ERR-08: a compressed message over server.limits.body is refused with a plain reason")
  void bombsAreRefused() {
    try (TestServer server =
            TestServer.start(TestServer.setup(directory, TestServer.starter().withGrpcAt(0)));
        GrpcCaller client = new GrpcCaller(server.server().grpcPort().orElseThrow())) {
      StatusRuntimeException refused =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () ->
                  client.raw(
                      "Remember", new byte[UNPACKED], CallOptions.DEFAULT.withCompression("gzip")));
      assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(refused.getStatus().getDescription())
          .contains("Wanted at most 8388608 bytes")
          .doesNotContain("Exception", "\n");
      assertThat(client.call("ListSpaces", client.request("ListSpaces"))).isNotNull();
    }
  }
}
