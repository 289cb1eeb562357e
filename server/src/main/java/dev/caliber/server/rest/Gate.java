package dev.caliber.server.rest;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.access.Keys;
import dev.caliber.server.access.Principal;
import dev.caliber.server.access.Rates;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Operations;
import dev.caliber.server.operation.Right;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.server.settings.ServerConfig.KeyPolicy;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.Optional;

/** Says who calls, and about which space. */
final class Gate {
  static final String SPACE = "Caliber-Space";

  private static final String BEARER = "Bearer ";
  private static final Principal LOCAL = new Principal("", "local", Right.ADMIN, List.of());

  private final Keys keys;
  private final Rates rates;
  private final ServerConfig config;
  private final boolean open;

  Gate(Keys keys, Rates rates, ServerConfig config) {
    this.keys = keys;
    this.rates = rates;
    this.config = config;
    this.open =
        config.listening().keys() == KeyPolicy.REMOTE
            && Addresses.isLoopback(config.listening().host());
  }

  Caller caller(Context context) {
    Principal principal = principal(context);
    rates.take(principal);
    SpaceId space = space(context, principal);
    if (space.equals(Operations.SERVER_SPACE)) {
      throw ServerException.reserved(space);
    }
    if (!principal.mayEnter(space)) {
      throw ServerException.spaceDenied(space);
    }
    return new Caller(principal.actor(), space, principal.right(), principal.spaces());
  }

  private Principal principal(Context context) {
    String header = context.header("Authorization");
    if (header != null) {
      return keys.authenticate(bearer(header));
    }
    Optional<Principal> loggedIn = Login.principal(context, keys);
    if (loggedIn.isPresent()) {
      return loggedIn.get();
    }
    if (!open) {
      throw ServerException.keyMissing();
    }
    return LOCAL;
  }

  private static String bearer(String header) {
    if (!header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      throw ServerException.keyRefused();
    }
    return header.substring(BEARER.length()).strip();
  }

  private SpaceId space(Context context, Principal principal) {
    String named = context.header(SPACE);
    if (named != null) {
      return named(named);
    }
    return principal.spaces().size() == 1 ? principal.spaces().getFirst() : config.space();
  }

  private static SpaceId named(String name) {
    try {
      return new SpaceId(name);
    } catch (KernelException _) {
      throw ServerException.invalidInput("", SPACE + ": wanted the name of a space");
    }
  }

  static boolean isSafe(HandlerType method) {
    return method.equals(HandlerType.GET) || method.equals(HandlerType.HEAD);
  }
}
