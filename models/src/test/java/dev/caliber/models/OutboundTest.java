package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.DataSize;
import dev.caliber.models.ModelsConfig.EgressHostSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Outgoing requests, on loopback addresses only. */
@Timeout(60)
final class OutboundTest {
  private static final GuardedHttpClient.HttpClientLimits LIMITS =
      new GuardedHttpClient.HttpClientLimits(
          Duration.ofSeconds(20),
          Duration.ofSeconds(20),
          Duration.ofSeconds(20),
          DataSize.parse("1KiB"),
          "here.limits");

  private final List<String> asked = new ArrayList<>();
  private HostileServer server;

  @BeforeEach
  void start() throws IOException {
    server = new HostileServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private GuardedHttpClient outbound(
      GuardedHttpClient.HttpClientLimits httpClientLimits, String... addresses) {
    var left = new ArrayList<>(List.of(addresses));
    var rules =
        new EgressHostSettings(
            "here", List.of("model.test"), List.of("model.test"), List.of("model.test"));
    return outbound(httpClientLimits, rules, left);
  }

  private GuardedHttpClient outbound(
      GuardedHttpClient.HttpClientLimits httpClientLimits,
      EgressHostSettings rules,
      List<String> left) {
    return new GuardedHttpClient(
        "the model",
        new EgressGuard(
            rules,
            host -> {
              asked.add(host);
              return List.of(address(left.removeFirst()));
            }),
        httpClientLimits);
  }

  private static InetAddress address(String literal) throws UnknownHostException {
    return InetAddress.getByName(literal);
  }

  /** Returns the server's address, by a name that only the guard can resolve. */
  private URI named(String path) {
    return URI.create("http://model.test:%d%s".formatted(server.address("").getPort(), path));
  }

  private static void assertRefused(
      GuardedHttpClient guardedHttpClient, URI address, ModelsErrorCode code) {
    assertThatThrownBy(() -> guardedHttpClient.post(address, Map.of(), new byte[0]).readAllBytes())
        .isInstanceOfSatisfying(CaliberException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  @DisplayName("LLM-03: nothing is sent twice, also to a server that wants it again at once")
  void isNotToldToRepeat() {
    server.always(HostileServer.reply(503, "busy", "Retry-After", "0"));
    try (var guardedHttpClient = outbound(LIMITS, "127.0.0.1");
        var answer = guardedHttpClient.post(named("/x"), Map.of(), new byte[] {'1'})) {
      assertThat(answer.status()).isEqualTo(503);
    }
    assertThat(server.seen()).hasSize(1);
  }

  @Test
  @DisplayName("LLM-03: the address that the guard has checked is the one that is connected to")
  void connectsToWhatWasChecked() {
    server.always(HostileServer.reply(200, "here"));
    try (var guardedHttpClient = outbound(LIMITS, "127.0.0.1");
        var answer = guardedHttpClient.post(named("/x"), Map.of("X-A", "b"), new byte[] {'1'})) {
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.readAllBytes()).asString().isEqualTo("here");
    }
    assertThat(asked).containsExactly("model.test");
    assertThat(server.seen().getFirst().headers()).containsKey("X-a");
  }

  @Test
  @DisplayName("LLM-03: a name that changes to a private address after the check is not contacted")
  void isNotRebound() {
    server.always(HostileServer.reply(200, "secret"));
    var rules =
        new EgressHostSettings("here", List.of("model.test"), List.of(), List.of("model.test"));
    try (var guardedHttpClient = outbound(LIMITS, rules, new ArrayList<>(List.of("127.0.0.1")))) {
      guardedHttpClient.check(named("/"));
      assertRefused(guardedHttpClient, named("/"), ModelsErrorCode.EGRESS_DENIED);
    }
    assertThat(asked).containsExactly("model.test");
    assertThat(server.seen()).isEmpty();
  }

  @Test
  @DisplayName("LLM-03: a redirect is an answer like any other, and not followed")
  void followsNoRedirect() {
    server.always(HostileServer.reply(307, "", "Location", named("/private").toString()));
    try (var guardedHttpClient = outbound(LIMITS, "127.0.0.1");
        var answer = guardedHttpClient.get(named("/x"), Map.of())) {
      assertThat(answer.status()).isEqualTo(307);
    }
    assertThat(server.paths()).containsExactly("/x");
  }

  @Test
  @DisplayName("LLM-03: an answer that is too long or takes too long is refused")
  void keepsLimits() {
    var ended = new CountDownLatch(1);
    server.then(HostileServer.reply(200, "x".repeat(2000)));
    server.then(
        (exchange, _) -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().flush();
          try {
            ended.await();
          } catch (InterruptedException _) {
            exchange.close();
          }
        });
    var short1 = LIMITS.withCallTimeout(Duration.ofMillis(300));
    try (var guardedHttpClient = outbound(LIMITS, "127.0.0.1");
        var hasty = outbound(short1, "127.0.0.1")) {
      assertRefused(guardedHttpClient, named("/"), ModelsErrorCode.INVALID_RESPONSE);
      assertRefused(hasty, named("/"), ModelsErrorCode.REQUEST_FAILED);
    } finally {
      ended.countDown();
    }
  }

  @Test
  @DisplayName("LLM-03: closing ends an answer that is still read, and nothing is sent any more")
  void closingEndsWhatIsUnderWay() {
    var ended = new CountDownLatch(1);
    server.then(
        (exchange, _) -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().flush();
          try {
            ended.await();
          } catch (InterruptedException _) {
            exchange.close();
          }
        });
    Duration ages = Duration.ofHours(1);
    var patient =
        new GuardedHttpClient.HttpClientLimits(
            ages, ages, ages, LIMITS.responseLimit(), LIMITS.settingsSection());
    var guardedHttpClient = outbound(patient, "127.0.0.1", "127.0.0.1");
    try (var answer = guardedHttpClient.get(named("/"), Map.of())) {
      guardedHttpClient.close();
      assertThatThrownBy(answer::readAllBytes)
          .isInstanceOfSatisfying(
              CaliberException.class,
              e -> assertThat(e.code()).isEqualTo(ModelsErrorCode.REQUEST_FAILED));
      assertRefused(guardedHttpClient, named("/again"), ModelsErrorCode.REQUEST_FAILED);
    } finally {
      ended.countDown();
    }
    assertThat(server.paths()).containsExactly("/");
  }

  @Test
  @DisplayName("LLM-03: nothing is sent twice, whatever the server does")
  void sendsOnce() {
    server.always(HostileServer.reply(408, ""));
    try (var guardedHttpClient = outbound(LIMITS, "127.0.0.1");
        var answer = guardedHttpClient.post(named("/once"), Map.of(), new byte[0])) {
      assertThat(answer.status()).isEqualTo(408);
    }
    assertThat(server.paths()).containsExactly("/once");
  }
}
