package dev.caliber.models;

import dev.caliber.models.ModelsConfig.EgressHostSettings;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Rules for outgoing requests: only to listed hosts, without TLS only where that is listed, and to
 * private addresses only where the host may have one. The HTTP client asks here for the addresses
 * of a name, so that the address that is checked is the one that is connected to.
 */
final class EgressGuard {
  private static final String ANY_HOST = "*";

  /** Hosts that an HTTP client may take for an address instead of resolving them. */
  private static final Pattern LITERAL = Pattern.compile("[\\d.]+|.*:.*");

  /** Resolver of the addresses of a name. */
  interface AddressResolver {
    List<InetAddress> resolve(String host) throws UnknownHostException;
  }

  private final EgressHostSettings rules;
  private final AddressResolver addressResolver;

  EgressGuard(EgressHostSettings rules, AddressResolver addressResolver) {
    this.rules = rules;
    this.addressResolver = addressResolver;
  }

  static EgressGuard of(EgressHostSettings rules) {
    return new EgressGuard(rules, host -> List.of(InetAddress.getAllByName(host)));
  }

  /** Refuses an address as far as possible without resolving its host. */
  void check(URI address) {
    check(String.valueOf(address.getScheme()), host(address));
  }

  /** Refuses the parts of an address as parsed by the HTTP client. */
  void check(String scheme, String host) {
    if (!scheme.equals("https") && !scheme.equals("http")) {
      throw ModelsException.egressDenied(
          host, "the address does not begin with http:// or https://");
    }
    if (!rules.hosts().contains(host) && !rules.hosts().contains(ANY_HOST)) {
      throw ModelsException.egressDenied(
          host, "the host is not in %s.hosts".formatted(rules.section()));
    }
    if (!scheme.equals("https") && !rules.plaintextHosts().contains(host)) {
      throw ModelsException.egressDenied(
          host,
          "the address does not use TLS, and the host is not in %s.plaintext-hosts"
              .formatted(rules.section()));
    }
    if (LITERAL.matcher(host).matches()) {
      checkAddress(host, parseLiteral(host));
    }
  }

  /** Returns the addresses of a host; refuses private ones unless the host may have such. */
  List<InetAddress> allowedAddresses(String host) throws UnknownHostException {
    List<InetAddress> found = addressResolver.resolve(host);
    found.forEach(address -> checkAddress(host, address));
    return found;
  }

  private void checkAddress(String host, InetAddress found) {
    if (!rules.privateHosts().contains(host) && PrivateAddresses.isPrivate(found)) {
      throw ModelsException.egressDenied(
          host,
          "the host has a private address and is not in %s.private-hosts"
              .formatted(rules.section()));
    }
  }

  private static InetAddress parseLiteral(String host) {
    try {
      return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException _) {
      throw ModelsException.egressDenied(host, "the host is neither a name nor an IP address");
    }
  }

  private static String host(URI address) {
    if (address.getHost() == null) {
      throw ModelsException.egressDenied("", "the address names no host");
    }
    String host = address.getHost().toLowerCase(Locale.ROOT);
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }
}
