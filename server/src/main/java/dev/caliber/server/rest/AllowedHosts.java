package dev.caliber.server.rest;

import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import io.javalin.http.Context;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The host names under which the server may be called. They keep out pages of other servers: those
 * that point a name of their own here (Host), and those that call from their own site (Origin).
 */
final class AllowedHosts {
  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");

  private final Set<String> names = new HashSet<>();

  AllowedHosts(ServerConfig.ListenSettings listenSettings) {
    listenSettings.allowedHosts().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    String host = listenSettings.host().toLowerCase(Locale.ROOT);
    names.add(host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host);
    if (isLoopback(listenSettings.host()) || isWildcard(listenSettings.host())) {
      names.addAll(LOOPBACK);
    }
  }

  static boolean isLoopback(String host) {
    return hasAddress(host, InetAddress::isLoopbackAddress);
  }

  /** Returns whether the host stands for all addresses of this machine. */
  static boolean isWildcard(String host) {
    return hasAddress(host, InetAddress::isAnyLocalAddress);
  }

  private static boolean hasAddress(String host, Predicate<InetAddress> kind) {
    try {
      return kind.test(InetAddress.getByName(host));
    } catch (UnknownHostException _) {
      return false;
    }
  }

  void checkHostAndOrigin(Context context) {
    String host = context.header("Host");
    if (host == null || !names.contains(withoutPort(host))) {
      throw ServerException.hostRefused();
    }
    String origin = context.header("Origin");
    if (origin != null && !isSameOrigin(origin, host)) {
      throw ServerException.originRefused();
    }
  }

  private static boolean isSameOrigin(String origin, String host) {
    try {
      return host.equalsIgnoreCase(URI.create(origin).getAuthority());
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /** Removes the port. */
  private static String withoutPort(String host) {
    int port = host.lastIndexOf(':');
    boolean bare = port < 0 || host.endsWith("]");
    return (bare ? host : host.substring(0, port)).toLowerCase(Locale.ROOT);
  }
}
