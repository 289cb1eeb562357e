package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.server.operation.ServerErrorCode;
import dev.caliber.server.operation.ServerException;
import dev.caliber.testkit.grpc.ReflectionGrpcClient;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server with a certificate that the JDK's own tool has made. */
@Timeout(120)
class TlsTest {
  private static final String PASSWORD = "changeit";

  @TempDir Path directory;

  /** Creates a new certificate for this machine, with its key, as PEM. */
  private X509Certificate make(String kind, String name) throws Exception {
    Path file = Files.createTempDirectory(directory, "keys").resolve("keys.p12");
    Process tool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "k",
                "-keyalg",
                kind,
                "-dname",
                "CN=" + name,
                "-ext",
                "SAN=ip:127.0.0.1,dns:localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .doesNotContain("error");
    assertThat(tool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    X509Certificate certificate = (X509Certificate) keys.getCertificate("k");
    write("server.pem", "CERTIFICATE", certificate.getEncoded());
    write("server.key", "PRIVATE KEY", keys.getKey("k", PASSWORD.toCharArray()).getEncoded());
    return certificate;
  }

  private void write(String name, String kind, byte[] content) throws IOException {
    Files.writeString(
        directory.resolve(name),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(kind, Base64.getMimeEncoder().encodeToString(content), kind));
  }

  private static HttpClient trusting(X509Certificate certificate) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("k", certificate);
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  private ServerSetup setup() {
    return setup(TestServer.starter().network().headerTimeout());
  }

  private ServerSetup setup(Duration head) {
    return TestServer.setup(
        directory,
        TestServer.starter()
            .with(
                "server.tls.certificate = 'server.pem'",
                "server.tls.key = 'server.key'",
                "server.limits.header-timeout = '%s'"
                    .formatted(dev.caliber.kernel.Durations.format(head)))
            .withTlsBaseDirectory(directory));
  }

  @Test
  @DisplayName("ERR-08: a handshake that comes byte by byte ends with server.limits.header-timeout")
  void slowHandshakesEnd() throws Exception {
    make("EC", "one");
    ServerSetup serverSetup = setup(Duration.ofMillis(500));
    try (CaliberServer server = CaliberServer.start(serverSetup);
        Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      slow.setSoTimeout(50);
      slow.getOutputStream()
          .write(new byte[] {0x16, 3, 1, 0x40, 0, 1, 0, 0x3f, 0}); // a ClientHello
      int read = 0;
      while (read >= 0) {
        try {
          read = slow.getInputStream().read();
        } catch (SocketTimeoutException _) {
          slow.getOutputStream().write(0);
        } catch (SocketException _) {
          read = -1;
        }
      }
      assertThat(read).isNegative();
    }
  }

  private static HttpResponse<String> post(
      HttpClient client, CaliberServer server, String path, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(server.address() + "/api/v1" + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  @DisplayName("DEP-02: a server with a certificate is called by https, and its cookies stay there")
  void speaksTls(String kind) throws Exception {
    X509Certificate certificate = make(kind, "one");
    try (CaliberServer server = CaliberServer.start(setup());
        HttpClient client = trusting(certificate)) {
      assertThat(server.address().getScheme()).isEqualTo("https");
      HttpResponse<String> made =
          post(client, server, "/keys", "{\"name\": \"a\", \"right\": \"ADMIN\"}");
      assertThat(made.statusCode()).isEqualTo(200);
      String secret = made.body().replaceAll(".*\"secret\":\"([^\"]+)\".*", "$1");
      HttpResponse<String> login =
          post(client, server, "/login", "{\"key\": \"%s\"}".formatted(secret));
      assertThat(login.headers().firstValue("Set-Cookie").orElse(""))
          .contains("Secure", "HttpOnly", "SameSite=Strict");
    }
  }

  /** Creates a gRPC client that trusts the certificate in the file now. */
  private ReflectionGrpcClient calling(int port) throws Exception {
    return new ReflectionGrpcClient(
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .sslContext(
                GrpcSslContexts.configure(
                        SslContextBuilder.forClient()
                            .trustManager(directory.resolve("server.pem").toFile()),
                        SslProvider.JDK)
                    .build())
            .build());
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  @DisplayName("DEP-02: gRPC has the certificate of the server, and nothing is served without it")
  void grpcSpeaksTls(String kind) throws Exception {
    make(kind, "one");
    ServerSetup serverSetup = setup();
    try (TestServer server =
        TestServer.start(TestServer.setup(directory, serverSetup.server().withGrpcPort(0)))) {
      int port = server.server().grpcPort().orElseThrow();
      try (ReflectionGrpcClient client = calling(port)) {
        assertThat(client.call("ListSpaces", client.request("ListSpaces"))).isNotNull();
      }
      assertThatThrownBy(() -> new ReflectionGrpcClient(port))
          .hasStackTraceContaining("UNAVAILABLE");
    }
  }

  @Test
  @DisplayName("DEP-02: gRPC takes up a renewed certificate without a restart, too")
  void grpcRenews() throws Exception {
    make("EC", "one");
    ServerSetup serverSetup = setup();
    try (TestServer server =
        TestServer.start(TestServer.setup(directory, serverSetup.server().withGrpcPort(0)))) {
      int port = server.server().grpcPort().orElseThrow();
      make("EC", "two"); // replaces the trusted certificate
      touch(10);
      try (ReflectionGrpcClient client = calling(port)) {
        assertThat(client.call("ListSpaces", client.request("ListSpaces"))).isNotNull();
      }
    }
  }

  @Test
  @DisplayName("DEP-02: a renewed certificate is taken up when its key is there, not before")
  void waitsForBothFiles() throws Exception {
    X509Certificate old = make("EC", "one");
    byte[] key = Files.readAllBytes(directory.resolve("server.key"));
    try (CaliberServer server = CaliberServer.start(setup())) {
      X509Certificate renewed = make("EC", "two");
      byte[] renewedKey = Files.readAllBytes(directory.resolve("server.key"));
      Files.write(directory.resolve("server.key"), key);
      touch(10);
      assertThat(served(server, old)).isEqualTo("CN=one");
      Files.write(directory.resolve("server.key"), renewedKey);
      touch(20);
      assertThat(served(server, renewed)).isEqualTo("CN=two");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  @DisplayName("DEP-02: a certificate with the key of another stops the start, and says so")
  void anotherKeyIsRefused(String kind) throws Exception {
    make("EC", "one");
    byte[] other = Files.readAllBytes(directory.resolve("server.key"));
    make(kind, "two");
    Files.write(directory.resolve("server.key"), other);
    assertThatThrownBy(() -> CaliberServer.start(setup()))
        .isInstanceOfSatisfying(
            ServerException.class,
            e -> assertThat(e.code()).isEqualTo(ServerErrorCode.TLS_CONFIGURATION_INVALID))
        .hasMessageContaining("is not that of the certificate");
  }

  @Test
  @DisplayName("DEP-02: a renewed certificate is taken up without a restart, a wrong one is not")
  void renews() throws Exception {
    X509Certificate old = make("EC", "one");
    try (CaliberServer server = CaliberServer.start(setup())) {
      assertThat(served(server, old)).isEqualTo("CN=one");
      X509Certificate renewed = make("EC", "two");
      touch(10);
      assertThat(served(server, renewed)).isEqualTo("CN=two");
      Files.writeString(directory.resolve("server.key"), "nothing");
      touch(20);
      assertThat(served(server, renewed)).isEqualTo("CN=two");
    }
  }

  /** Sets the files' times, because writes in the same second could have equal ones. */
  private void touch(int second) throws IOException {
    for (String name : List.of("server.pem", "server.key")) {
      Files.setLastModifiedTime(
          directory.resolve(name), FileTime.from(Instant.EPOCH.plusSeconds(second)));
    }
  }

  private static String served(CaliberServer server, X509Certificate trusted) throws Exception {
    try (HttpClient client = trusting(trusted)) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(server.address() + "/health/live")).build(),
              BodyHandlers.ofString());
      X509Certificate found =
          (X509Certificate) answer.sslSession().orElseThrow().getPeerCertificates()[0];
      return found.getSubjectX500Principal().getName();
    }
  }

  @Test
  @DisplayName("DEP-02: files that are no certificate and key stop the start, and say so")
  void wrongFilesAreRefused() throws Exception {
    make("EC", "one");
    Files.writeString(directory.resolve("server.key"), "nothing");
    assertThatThrownBy(() -> CaliberServer.start(setup()))
        .isInstanceOfSatisfying(
            ServerException.class,
            e -> assertThat(e.code()).isEqualTo(ServerErrorCode.TLS_CONFIGURATION_INVALID))
        .hasMessageContaining("server.key");
  }
}
