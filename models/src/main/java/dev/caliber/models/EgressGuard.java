package dev.caliber.models;

import dev.caliber.models.ModelsConfig.Egress;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Decides whether a request may leave: only to listed hosts, without TLS only where that is listed,
 * and to no private address unless the host may have one. Whoever connects asks here for the
 * addresses of a name, so that the address that is checked is the one that is connected to.
 */
final class EgressGuard {
  private static final String ANY_HOST = "*";

  /** What an HTTP client may take for an address instead of asking for one. */
  private static final Pattern LITERAL = Pattern.compile("[\\d.]+|.*:.*");

  /** Finds the addresses of a name. */
  interface Names {
    List<InetAddress> addresses(String host) throws UnknownHostException;
  }

  private final Egress rules;
  private final Names names;

  EgressGuard(Egress rules, Names names) {
    this.rules = rules;
    this.names = names;
  }

  static EgressGuard of(Egress rules) {
    return new EgressGuard(rules, host -> List.of(InetAddress.getAllByName(host)));
  }

  /** What can be said without asking for addresses. */
  void check(URI address) {
    check(String.valueOf(address.getScheme()), host(address));
  }

  /** The same for the parts of an address as the client that connects has read it. */
  void check(String scheme, String host) {
    if (!scheme.equals("https") && !scheme.equals("http")) {
      throw ModelsException.egressDenied(host, "the address is none of HTTP");
    }
    if (!rules.hosts().contains(host) && !rules.hosts().contains(ANY_HOST)) {
      throw ModelsException.egressDenied(host, "it is not in %s.hosts".formatted(rules.section()));
    }
    if (!scheme.equals("https") && !rules.plainHosts().contains(host)) {
      throw ModelsException.egressDenied(
          host,
          "it would go without TLS, and it is not in %s.plain-hosts".formatted(rules.section()));
    }
    if (LITERAL.matcher(host).matches()) {
      checkAddress(host, literal(host));
    }
  }

  /** The addresses of a host, none of them private unless the host may have such. */
  List<InetAddress> addresses(String host) throws UnknownHostException {
    List<InetAddress> found = names.addresses(host);
    found.forEach(address -> checkAddress(host, address));
    return found;
  }

  private void checkAddress(String host, InetAddress found) {
    if (!rules.privateHosts().contains(host) && PrivateAddresses.contain(found)) {
      throw ModelsException.egressDenied(
          host,
          "it is at a private address, and it is not in %s.private-hosts"
              .formatted(rules.section()));
    }
  }

  private static InetAddress literal(String host) {
    try {
      return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException _) {
      throw ModelsException.egressDenied(host, "it is neither a name nor an address");
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
