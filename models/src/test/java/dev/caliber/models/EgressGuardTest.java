package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.models.ModelsConfig.EgressHostSettings;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EgressGuardTest {

  private static final Map<String, String> NAMES =
      Map.of(
          "open.test", "93.184.216.34", "inner.test", "192.168.7.7", "sly.test", "169.254.169.254");

  private static final EgressGuard GUARD =
      new EgressGuard(
          new EgressHostSettings(
              "models.egress",
              List.of("open.test", "inner.test", "sly.test", "gone.test", "::1"),
              List.of("inner.test", "::1"),
              List.of("inner.test", "::1")),
          EgressGuardTest::addresses);

  private static List<InetAddress> addresses(String host) throws UnknownHostException {
    String found = NAMES.get(host);
    if (found == null) {
      throw new UnknownHostException(host);
    }
    return List.of(InetAddress.getByName("8.8.8.8"), InetAddress.getByName(found));
  }

  /** Checks the address in the two steps of a connecting client. */
  private static void pass(URI address) throws UnknownHostException {
    GUARD.check(address);
    if (!address.getHost().contains(":")) {
      GUARD.allowedAddresses(address.getHost().toLowerCase(Locale.ROOT));
    }
  }

  @ParameterizedTest
  @DisplayName("LLM-03: requests go to listed hosts")
  @ValueSource(
      strings = {
        "https://open.test/v1",
        "https://OPEN.test/v1",
        "http://inner.test",
        "http://[::1]:1"
      })
  void letsThrough(String address) {
    assertThatCode(() -> pass(URI.create(address))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @DisplayName("LLM-03: unlisted hosts, requests without TLS and private addresses are refused")
  @ValueSource(
      strings = {
        "https://other.test/v1",
        "https://open.test.other.test",
        "http://open.test/v1",
        "https://sly.test/latest/meta-data"
      })
  void refuses(String address) {
    assertThatThrownBy(() -> pass(URI.create(address)))
        .isInstanceOfSatisfying(
            CaliberException.class,
            e -> assertThat(e.code()).isEqualTo(ModelsErrorCode.EGRESS_DENIED));
  }

  @ParameterizedTest
  @DisplayName("LLM-03: where every host is listed, no spelling of a private address passes")
  @ValueSource(
      strings = {
        "127.0.0.1",
        "2130706433",
        "127.1",
        "0",
        "1.2.3.4.5",
        "::1",
        "::ffff:127.0.0.1",
        "fe80::1%eth0"
      })
  void knowsEverySpelling(String host) {
    var guard =
        new EgressGuard(
            new EgressHostSettings("here", List.of("*"), List.of(), List.of()),
            EgressGuardTest::addresses);
    assertThatThrownBy(() -> guard.check("https", host))
        .isInstanceOfSatisfying(
            CaliberException.class,
            e -> assertThat(e.code()).isEqualTo(ModelsErrorCode.EGRESS_DENIED));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "10.1.2.3",
        "100.64.0.1",
        "100.127.255.255",
        "127.9.9.9",
        "169.254.169.254",
        "172.31.0.1",
        "192.0.0.8",
        "192.168.0.1",
        "198.19.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "fe80::1",
        "fc00::1",
        "fd12:3456::1",
        "ff02::1",
        "64:ff9b::a9fe:a9fe",
        "2002:0a00:0001::1"
      })
  void knowsPrivateAddresses(String address) throws UnknownHostException {
    assertThat(PrivateAddresses.isPrivate(InetAddress.getByName(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "100.63.255.255",
        "100.128.0.1",
        "172.32.0.1",
        "192.0.1.1",
        "198.17.255.255",
        "198.20.0.1",
        "223.255.255.255",
        "2606:4700::1111",
        "64:ff9b::808:808",
        "2002:0808:0808::1"
      })
  void knowsPublicAddresses(String address) throws UnknownHostException {
    assertThat(PrivateAddresses.isPrivate(InetAddress.getByName(address))).isFalse();
  }
}
