package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.DataSize;
import dev.caliber.server.ContractDocument.Route;
import dev.caliber.server.TestServer.Reply;
import dev.caliber.server.operation.ServerErrorCode;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Authentication, and the answers to malformed requests. */
@Timeout(180)
class SecurityTest {
  private static final Set<String> PUBLIC =
      Set.of(
          "/", "/openapi.yaml", "/health/live", "/health/ready", "/api/v1/login", "/api/v1/logout");
  private static final String SOME_ID = "01JD0000000000000000000000";
  private static final DataSize SMALL = DataSize.parse("64KiB");

  @TempDir Path directory;
  private TestServer server;
  private String admin = "";

  /** Creates a key at a first start; after the second, every caller needs one. */
  @BeforeEach
  void start() {
    try (TestServer open = TestServer.start(directory)) {
      admin = open.post("/keys", "{\"name\": \"root\", \"right\": \"ADMIN\"}").text("secret");
      open.post("/spaces", "{\"space\": \"team-a\"}");
      open.post("/spaces", "{\"space\": \"team-b\"}");
    }
    server = TestServer.start(TestServer.setup(directory, strict()));
  }

  private static ServerConfig strict() {
    return TestServer.starter()
        .with(
            "server.require-api-key = 'always'", "server.limits.body-size = '%s'".formatted(SMALL));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String key(String body) {
    Reply made = server.send(as(TestServer.json(server.request("/keys"), body), admin));
    assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
    return made.text("secret");
  }

  private static HttpRequest.Builder as(HttpRequest.Builder request, String key) {
    return request.header("Authorization", "Bearer " + key);
  }

  private HttpRequest.Builder any(Route route) {
    String path = route.path().replaceAll("\\{\\w+}", SOME_ID);
    HttpRequest.Builder request = HttpRequest.newBuilder(server.uri(path));
    return route.method().equals("GET") ? request.GET() : TestServer.json(request, "{}");
  }

  private static List<Route> guarded() {
    return Stream.concat(
            new ContractDocument().routes().stream().filter(route -> !isPublic(route.path())),
            Stream.of(
                new Route("POST", "/mcp"),
                new Route("POST", "/v1/chat/completions"),
                new Route("GET", "/v1/models"),
                new Route("POST", "/v1/embeddings")))
        .toList();
  }

  /** Returns the code of a problem or of an OpenAI error. */
  private static String code(Reply reply) {
    return reply.text("code") + reply.text("error", "code");
  }

  private static boolean isPublic(String path) {
    return PUBLIC.contains(path) || path.startsWith("/studio/");
  }

  @Test
  @DisplayName("DEP-02: no route but the public ones answers without a key of this server")
  void everyRouteAsksForAKey() {
    String revoked = key("{\"name\": \"old\", \"right\": \"ADMIN\"}");
    String id = revoked.split("_", -1)[1];
    server.send(as(TestServer.json(server.request("/keys/%s/revoke".formatted(id)), "{}"), admin));
    String changed = admin.substring(0, admin.length() - 1) + (admin.endsWith("A") ? "B" : "A");
    for (Route route : guarded()) {
      assertThat(server.send(any(route)).status()).as(route + " without").isEqualTo(401);
      for (String wrong : List.of("nonsense", "cal_x_y", changed, revoked)) {
        assertThat(server.send(as(any(route), wrong)).status())
            .as(route + " with " + wrong)
            .isEqualTo(401);
      }
    }
    for (String path : PUBLIC) {
      Route route = new Route(path.startsWith("/api") ? "POST" : "GET", path);
      assertThat(server.send(any(route)).text("code")).as(path).doesNotContain("API_KEY_MISSING");
    }
  }

  @Test
  @DisplayName("DEP-02: a key for one space opens no other, on any route")
  void aKeyIsForItsSpaces() {
    String key = key("{\"name\": \"a\", \"right\": \"ADMIN\", \"spaces\": [\"team-a\"]}");
    for (Route route : guarded()) {
      Reply other = server.send(as(any(route), key).header("Caliber-Space", "team-b"));
      assertThat(code(other)).as(route.toString()).endsWith("SPACE_DENIED");
      Reply reserved = server.send(as(any(route), admin).header("Caliber-Space", "caliber.server"));
      assertThat(reserved.status()).as(route.toString()).isEqualTo(403);
    }
    Reply counts = server.send(as(HttpRequest.newBuilder(server.uri("/metrics")), key));
    assertThat(code(counts)).as("it counts in all spaces").endsWith("SPACE_DENIED");
    Reply spaces = server.send(as(server.request("/spaces"), key));
    assertThat(spaces.body().path("items")).hasSize(1);
    Reply more =
        server.send(
            as(
                TestServer.json(server.request("/keys"), "{\"name\": \"b\", \"right\": \"READ\"}"),
                key));
    assertThat(more.status()).as("a key for all spaces").isEqualTo(403);
    server.send(as(TestServer.json(server.request("/remember"), "{\"text\": \"Ours\"}"), key));
    assertThat(
            server
                .send(
                    as(TestServer.json(server.request("/recall"), "{\"query\": \"Ours\"}"), admin)
                        .header("Caliber-Space", "team-b"))
                .body()
                .path("hits"))
        .isEmpty();
  }

  @Test
  @DisplayName("DEP-02: a key to read does not write, and a key to write does not administer")
  void rightsAreKept() {
    String reader = key("{\"name\": \"r\", \"right\": \"READ\"}");
    String writer = key("{\"name\": \"w\", \"right\": \"WRITE\"}");
    ContractDocument contract = new ContractDocument();
    for (Route route : guarded()) {
      if (route.path().endsWith("/events")
          || route.path().equals("/mcp")
          || route.path().startsWith("/v1/")) {
        continue; // an endless stream, or a path outside of the contract with rights of its own
      }
      String right = contract.operation(route).path("x-caliber-right").asString("read");
      Reply read = server.send(as(any(route), reader));
      assertThat(read.text("code").endsWith("RIGHT_MISSING"))
          .as("%s asks for the right to %s", route, right)
          .isEqualTo(!right.equals("read"));
      Reply written = server.send(as(any(route), writer));
      assertThat(written.text("code").endsWith("RIGHT_MISSING"))
          .as("%s asks for the right to %s", route, right)
          .isEqualTo(right.equals("admin"));
    }
  }

  @Test
  @DisplayName("DEP-02: a secret is shown once and kept as a hash")
  void secretsAreNotKept() throws IOException {
    String secret = admin.split("_", 3)[2];
    assertThat(server.send(as(server.request("/keys"), admin)).body().toString())
        .doesNotContain(secret)
        .contains("root");
    server.close();
    try (var files = java.nio.file.Files.walk(directory)) {
      for (Path file : files.filter(java.nio.file.Files::isRegularFile).toList()) {
        assertThat(new String(java.nio.file.Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(secret);
      }
    }
    server = TestServer.start(TestServer.setup(directory, strict()));
  }

  @Test
  @DisplayName("DEP-02: an address that others can reach is refused without a key")
  void refusesToServeTheWorldWithoutAKey(@TempDir Path fresh) {
    ServerConfig world = ServerConfig.starter().withAddress("0.0.0.0", 0);
    assertThatThrownBy(() -> CaliberServer.start(TestServer.setup(fresh, world)))
        .isInstanceOfSatisfying(
            ServerException.class,
            e -> assertThat(e.code()).isEqualTo(ServerErrorCode.NO_API_KEYS));
  }

  @Test
  @DisplayName("DEP-02: a browser logs in with a cookie, and writes only with the token beside it")
  void aBrowserLogsIn() {
    Reply login = server.post("/login", "{\"key\": \"%s\"}".formatted(admin));
    String cookie = login.header("Set-Cookie");
    assertThat(cookie).contains("HttpOnly", "SameSite=Strict").doesNotContain(admin);
    String pair = cookie.split(";", 2)[0];
    assertThat(server.send(server.request("/spaces").header("Cookie", pair)).status())
        .isEqualTo(200);
    HttpRequest.Builder write = TestServer.json(server.request("/remember"), "{\"text\": \"Hi\"}");
    assertThat(server.send(write.copy().header("Cookie", pair)).text("code"))
        .endsWith("CSRF_TOKEN_MISSING");
    assertThat(
            server
                .send(
                    write.copy().header("Cookie", pair).header("Caliber-Csrf", login.text("csrf")))
                .status())
        .isEqualTo(200);
    server.send(
        TestServer.json(server.request("/logout"), "")
            .header("Cookie", pair)
            .header("Caliber-Csrf", login.text("csrf")));
    assertThat(server.send(server.request("/spaces").header("Cookie", pair)).status())
        .isEqualTo(401);
  }

  @Test
  @DisplayName("DEP-02: a login makes no other login, which would outlive its key")
  void loginsMakeNoLogins() {
    Reply login = server.post("/login", "{\"key\": \"%s\"}".formatted(admin));
    String secret = login.header("Set-Cookie").split(";", 2)[0].split("=", 2)[1];
    assertThat(server.post("/login", "{\"key\": \"%s\"}".formatted(secret)).status())
        .isEqualTo(401);
  }

  @Test
  @DisplayName(
      "DEP-02: no header makes a request another one: what a login changes needs its token")
  void aHeaderChangesNoMethod() {
    Reply login = server.post("/login", "{\"key\": \"%s\"}".formatted(admin));
    String cookie = login.header("Set-Cookie").split(";", 2)[0];
    for (String method : List.of("GET", "nonsense")) {
      Reply refused =
          server.send(
              TestServer.json(server.request("/spaces"), "{\"space\": \"team-c\"}")
                  .header("Cookie", cookie)
                  .header("X-HTTP-Method-Override", method));
      assertThat(refused.text("code")).as(method).endsWith("CSRF_TOKEN_MISSING");
    }
  }

  @Test
  @DisplayName("DEP-02: a key has a maximum of logins; one more ends the oldest")
  void loginsAreBounded() {
    String key = key("{\"name\": \"browser\", \"right\": \"READ\"}");
    List<String> cookies = new ArrayList<>();
    int most = TestServer.starter().network().perKey().logins();
    for (int i = 0; i <= most; i++) {
      Reply login = server.post("/login", "{\"key\": \"%s\"}".formatted(key));
      cookies.add(login.header("Set-Cookie").split(";", 2)[0]);
    }
    assertThat(cookies.stream().map(this::looking).toList())
        .startsWith(401)
        .endsWith(200)
        .containsOnlyOnce(401);
  }

  @Test
  @DisplayName("DEP-02: an ended login does not count towards the limit")
  void endedLoginsAreNotCounted() {
    String key = key("{\"name\": \"script\", \"right\": \"READ\"}");
    String body = "{\"key\": \"%s\"}".formatted(key);
    String living = server.post("/login", body).header("Set-Cookie").split(";", 2)[0];
    for (int i = 0; i <= TestServer.starter().network().perKey().logins(); i++) {
      Reply login = server.post("/login", body);
      Reply out =
          server.send(
              TestServer.json(server.request("/logout"), "")
                  .header("Cookie", login.header("Set-Cookie").split(";", 2)[0])
                  .header("Caliber-Csrf", login.text("csrf")));
      assertThat(out.status()).as(out.toString()).isLessThan(300);
    }
    assertThat(looking(living)).isEqualTo(200);
  }

  private int looking(String cookie) {
    return server.send(server.request("/spaces").header("Cookie", cookie).GET()).status();
  }

  @Test
  @DisplayName("DEP-02: the secret of a login opens nothing but as its cookie")
  void loginsAreCookies() {
    Reply login = server.post("/login", "{\"key\": \"%s\"}".formatted(admin));
    String secret = login.header("Set-Cookie").split(";", 2)[0].split("=", 2)[1];
    assertThat(server.send(as(server.request("/spaces"), secret)).status()).isEqualTo(401);
    assertThat(
            server
                .send(server.request("/spaces").header("Cookie", "caliber_login=" + admin))
                .status())
        .isEqualTo(401);
  }

  @Test
  @DisplayName("DEP-02: a login ends with its key, which is found however many logins there are")
  void loginsEndWithTheirKey() {
    String made = key("{\"name\": \"browser\", \"right\": \"READ\"}");
    Reply login = server.post("/login", "{\"key\": \"%s\"}".formatted(made));
    String pair = login.header("Set-Cookie").split(";", 2)[0];
    Reply revoked =
        server.send(
            as(
                TestServer.json(
                    server.request("/keys/%s/revoke".formatted(made.split("_", -1)[1])), "{}"),
                admin));
    assertThat(revoked.status()).isEqualTo(200);
    assertThat(server.send(server.request("/spaces").header("Cookie", pair)).status())
        .isEqualTo(401);
    assertThat(server.post("/login", "{\"key\": \"%s\"}".formatted(made)).status()).isEqualTo(401);
    String loginId = pair.split("=", 2)[1].split("_", -1)[1];
    assertThat(
            server
                .send(
                    as(
                        TestServer.json(server.request("/keys/%s/revoke".formatted(loginId)), "{}"),
                        admin))
                .status())
        .as("a login is no key")
        .isEqualTo(404);
  }

  @Test
  @DisplayName("DEP-02: a request forwarded by a proxy needs a key, even from this machine")
  void forwardedRequestsNeedAKey(@TempDir Path fresh) {
    try (TestServer open = TestServer.start(fresh)) {
      assertThat(open.get("/spaces").status()).isEqualTo(200);
      for (String header :
          List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Port", "X-Real-IP", "Via")) {
        assertThat(open.send(open.request("/spaces").header(header, "10.0.0.1")).text("code"))
            .as(header)
            .endsWith("API_KEY_MISSING");
      }
    }
  }

  @Test
  @DisplayName("DEP-02: a read-only caller keeps no window longer than the settings allow")
  void readersKeepNothing() {
    String reader = key("{\"name\": \"r\", \"right\": \"READ\"}");
    for (String keep : List.of("\"keep\": \"PERMANENT\"", "\"ttl\": \"1000d\"")) {
      Reply refused =
          server.send(
              as(
                  TestServer.json(
                      server.request("/context/assemble"),
                      "{\"session\": \"s\", %s}".formatted(keep)),
                  reader));
      assertThat(refused.text("code")).as(keep).endsWith("RIGHT_MISSING");
    }
  }

  @Test
  @DisplayName("answers are neither kept by others nor taken for something else")
  void answersAreNotKept() {
    Reply login = server.post("/login", "{\"key\": \"%s\"}".formatted(admin));
    assertThat(login.header("Cache-Control")).isEqualTo("no-store");
    assertThat(login.header("X-Content-Type-Options")).isEqualTo("nosniff");
  }

  /** Returns the status of an answer that is read only after the whole body was sent. */
  private String answerToAll(String path, String secret, int length) throws IOException {
    URI here = server.uri(path);
    try (Socket socket = new Socket(here.getHost(), here.getPort())) {
      socket
          .getOutputStream()
          .write(
              String.join(
                      "\r\n",
                      "POST %s HTTP/1.1",
                      "Host: %s",
                      "Content-Type: application/json",
                      "Authorization: Bearer %s",
                      "Content-Length: %d",
                      "",
                      "")
                  .formatted(path, here.getAuthority(), secret, length)
                  .getBytes(StandardCharsets.US_ASCII));
      for (int i = 0; i < length; i++) { // byte by byte: most of them arrive after the refusal
        socket.getOutputStream().write('x');
      }
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  @DisplayName("ERR-08: a client that is still sending a refused body receives the reason")
  void refusalsReachWhoStillSends() throws IOException {
    int large = (int) SMALL.bytes() * 3 / 2;
    assertThat(answerToAll("/api/v1/remember", admin, large))
        .startsWith("HTTP/1.1 413")
        .contains("BODY_TOO_LARGE");
    assertThat(answerToAll("/api/v1/remember", "cal_no_no", large))
        .startsWith("HTTP/1.1 401")
        .contains("API_KEY_INVALID");
    assertThat(answerToAll("/api/v1/nothing", admin, large)).startsWith("HTTP/1.1 404");
  }

  @Test
  @DisplayName("ERR-08: a form has the same limit as any other body")
  void formsAreBounded() {
    String head =
        "--b\r\nContent-Disposition: form-data; name=\"cal.toml\"; filename=\"cal.toml\"\r\n\r\n";
    String body = head + "x".repeat((int) SMALL.bytes() * 3 / 2) + "\r\n--b--\r\n";
    Reply refused =
        server.send(
            server
                .request("/dsl/compose")
                .header("Authorization", "Bearer " + admin)
                .header("Content-Type", "multipart/form-data; boundary=b")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    assertThat(refused.status()).as(refused.body().toString()).isEqualTo(413);
    Reply torn =
        server.send(
            server
                .request("/dsl/compose")
                .header("Authorization", "Bearer " + admin)
                .header("Content-Type", "multipart/form-data; boundary=b")
                .POST(HttpRequest.BodyPublishers.ofString(head + "never closed")));
    assertThat(torn.status()).as(torn.body().toString()).isEqualTo(400);
  }

  @Test
  @DisplayName("a request that cannot be answered in lines is refused before it runs")
  void linesAreForLists() {
    Reply refused =
        server.send(
            TestServer.json(server.request("/remember"), "{\"text\": \"Hi\"}")
                .header("Authorization", "Bearer " + admin)
                .header("Accept", "application/x-ndjson"));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(
            server
                .send(server.request("/notes").header("Authorization", "Bearer " + admin))
                .body()
                .path("items"))
        .isEmpty();
  }

  private String raw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri("/").getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  @DisplayName("DEP-02: a request for another host or from another site is refused")
  void otherHostsAndSitesAreRefused() throws IOException {
    assertThat(live("Host: evil.example")).startsWith("HTTP/1.1 421");
    assertThat(live("X-Nothing: 1")).startsWith("HTTP/1.1 4");
    assertThat(live("Host: localhost:1", "Origin: http://evil.example")).startsWith("HTTP/1.1 403");
    assertThat(live("Host: localhost:1", "Origin: null")).startsWith("HTTP/1.1 403");
    assertThat(live("Host: localhost:1", "Origin: http://localhost:1")).startsWith("HTTP/1.1 200");
  }

  private String live(String... headers) throws IOException {
    return raw(
        "GET /health/live HTTP/1.1\r\nConnection: close\r\n%s\r\n\r\n"
            .formatted(String.join("\r\n", headers)));
  }

  @Test
  @DisplayName("ERR-08: strange requests are refused with a problem, never with a failure")
  void strangeRequestsAreRefused() throws IOException {
    for (String path :
        List.of(
            "/../../etc/passwd",
            "/%2e%2e/%2e%2e/etc/passwd",
            "/api/v1/notes/..%2f..%2fx",
            "/api/v1//notes",
            "/openapi.yaml/..",
            "/api/v1/notes/%00",
            "/api/v1/notes;x=y/z")) {
      String answer =
          raw(
              "GET %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n"
                  .formatted(path, admin));
      assertThat(answer)
          .as(path)
          .startsWith("HTTP/1.1 4")
          .doesNotContain("at dev.caliber", "root:");
    }
    for (String body :
        List.of(
            "[".repeat(5000),
            "{\"text\":".repeat(300) + "1" + "}".repeat(300),
            "{\"text\": \"\\ud800\"}",
            "{\"text\": \"\\u0000\"}",
            "{\"text\": 1e400}",
            "{\"text\": \"a\", \"text\": \"b\"}",
            "null",
            "\u0000")) {
      Reply reply = server.send(as(TestServer.json(server.request("/remember"), body), admin));
      assertThat(reply.status()).as(body).isBetween(400, 499);
      assertThat(reply.text("code")).startsWith("CALIBER_");
    }
    String large = "{\"text\": \"%s\"}".formatted("x".repeat((int) SMALL.bytes() + 1));
    assertThat(server.send(as(TestServer.json(server.request("/remember"), large), admin)).status())
        .isEqualTo(413);
    assertThat(
            server
                .send(
                    as(server.request("/remember"), admin)
                        .header("Content-Type", "text/plain")
                        .POST(BodyPublishers.ofString("{\"text\": \"x\"}")))
                .status())
        .isEqualTo(415);
  }
}
