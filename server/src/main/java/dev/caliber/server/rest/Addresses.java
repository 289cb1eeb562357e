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
 * By which names the server may be called. A page of another server cannot reach it: neither by a
 * name that it made point here (Host), nor from its own (Origin).
 */
final class Addresses {
  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");

  private final Set<String> names = new HashSet<>();

  Addresses(ServerConfig.Listening listening) {
    listening.names().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    String host = listening.host().toLowerCase(Locale.ROOT);
    names.add(host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host);
    if (isLoopback(listening.host()) || isEverywhere(listening.host())) {
      names.addAll(LOOPBACK);
    }
  }

  static boolean isLoopback(String host) {
    return is(host, InetAddress::isLoopbackAddress);
  }

  /** Whether it means every address of this machine. */
  static boolean isEverywhere(String host) {
    return is(host, InetAddress::isAnyLocalAddress);
  }

  private static boolean is(String host, Predicate<InetAddress> kind) {
    try {
      return kind.test(InetAddress.getByName(host));
    } catch (UnknownHostException _) {
      return false;
    }
  }

  void check(Context context) {
    String host = context.header("Host");
    if (host == null || !names.contains(name(host))) {
      throw ServerException.hostRefused();
    }
    String origin = context.header("Origin");
    if (origin != null && !isSame(origin, host)) {
      throw ServerException.originRefused();
    }
  }

  private static boolean isSame(String origin, String host) {
    try {
      return host.equalsIgnoreCase(URI.create(origin).getAuthority());
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /** Without the port. */
  private static String name(String host) {
    int port = host.lastIndexOf(':');
    boolean bare = port < 0 || host.endsWith("]");
    return (bare ? host : host.substring(0, port)).toLowerCase(Locale.ROOT);
  }
}
