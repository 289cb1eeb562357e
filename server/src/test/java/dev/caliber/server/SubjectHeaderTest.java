package dev.caliber.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import dev.caliber.kernel.Json;
import dev.caliber.server.grpc.GrpcJson;
import dev.caliber.testkit.grpc.ReflectionGrpcClient;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The subject in a header is text in UTF-8, percent-encoded or not. */
@Timeout(120)
class SubjectHeaderTest {
  private static final String BODY = "{\"text\": \"Paella\"}";

  @TempDir private Path directory;
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(TestServer.setup(directory, TestServer.starter().withGrpcPort(0)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Returns the whole answer to a request with these bytes in the header. */
  private String answer(String subject, Charset charset) throws IOException {
    URI address = server.uri("/");
    String head =
        "POST /api/v1/remember HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
                .formatted(address.getAuthority())
            + "Content-Length: %d\r\nConnection: close\r\nCaliber-Subject: "
                .formatted(BODY.length());
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.getOutputStream().write(head.getBytes(UTF_8));
      socket.getOutputStream().write(subject.getBytes(charset));
      socket.getOutputStream().write(("\r\n\r\n" + BODY).getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  @Test
  @DisplayName("a subject in the header is read as UTF-8")
  void utf8() throws IOException {
    assertThat(answer("José", UTF_8)).contains("\"subject\":\"José\"");
    assertThat(answer("約翰", UTF_8)).contains("\"subject\":\"約翰\"");
  }

  @Test
  @DisplayName("a subject in the header may be percent-encoded")
  void percentEncoded() throws IOException {
    assertThat(answer("Jos%C3%A9", UTF_8)).contains("\"subject\":\"José\"");
    assertThat(answer("100%25", UTF_8)).contains("\"subject\":\"100%\"");
  }

  @Test
  @DisplayName("a subject that is neither UTF-8 nor percent-encoded is refused")
  void neither() throws IOException {
    assertThat(answer("José", ISO_8859_1)).contains("400").contains("Caliber-Subject");
    assertThat(answer("50%", UTF_8)).contains("400").contains("percent-encoded");
    assertThat(answer("50%x1", UTF_8)).contains("400");
    assertThat(answer("Jos%FF", UTF_8)).contains("400");
    assertThat(answer("%20", UTF_8)).contains("400");
  }

  @Test
  @DisplayName("a subject in the metadata of gRPC may be percent-encoded")
  void byGrpc() {
    try (ReflectionGrpcClient grpc =
        new ReflectionGrpcClient(server.server().grpcPort().orElseThrow())) {
      DynamicMessage request =
          GrpcJson.message(grpc.method("Remember").getInputType(), Json.mapper().readTree(BODY));
      String answer =
          GrpcJson.json(grpc.call("Remember", request, "caliber-subject", "Jos%C3%A9")).toString();
      assertThat(answer).contains("José");
    }
  }
}
