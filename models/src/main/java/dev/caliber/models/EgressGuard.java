package dev.caliber.models;

import dev.caliber.models.ModelsConfig.Egress;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/**
 * Decides whether a request may leave: only to listed hosts, without TLS only where that is listed,
 * and to no private address unless the host may have one. It looks at every address that the name
 * has, before every request, since names change their minds.
 */
final class EgressGuard {

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
  void checkListed(URI address) {
    String host = host(address);
    if (!rules.hosts().contains(host)) {
      throw ModelsException.egressDenied(host, "it is not in models.egress.hosts");
    }
    if (!"https".equals(address.getScheme()) && !rules.plainHosts().contains(host)) {
      throw ModelsException.egressDenied(
          host, "it would go without TLS, and it is not in models.egress.plain-hosts");
    }
  }

  void check(URI address) {
    checkListed(address);
    String host = host(address);
    if (!rules.privateHosts().contains(host)) {
      addresses(host).forEach(found -> checkPublic(host, found));
    }
  }

  private List<InetAddress> addresses(String host) {
    try {
      return names.addresses(host);
    } catch (UnknownHostException _) {
      throw ModelsException.requestFailed(host, "its name has no address");
    }
  }

  private static void checkPublic(String host, InetAddress found) {
    if (PrivateAddresses.contain(found)) {
      throw ModelsException.egressDenied(
          host, "it is at a private address, and it is not in models.egress.private-hosts");
    }
  }

  private static String host(URI address) {
    String host = address.getHost().toLowerCase(Locale.ROOT);
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }
}
