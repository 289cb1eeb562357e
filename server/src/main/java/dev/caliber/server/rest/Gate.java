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
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Says who calls, and about which space. */
final class Gate {
  static final String SPACE = "Caliber-Space";

  private static final String BEARER = "Bearer ";
  private static final List<String> FORWARDED =
      List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via");
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

  /** Who logs in with this key; that takes a request of its rate. */
  void admit(String secret) {
    rates.take(keys.authenticate(secret));
  }

  /** Refuses a key that was good when the request began. */
  void again(Context context) {
    principal(context);
  }

  /** Before the next piece of a long request: the key is still good, and has a request left. */
  void next(Context context, Turns turns) throws InterruptedException {
    Duration wait = rates.ask(principal(context));
    turns.pause(wait);
    while (wait.isPositive()) {
      wait = rates.ask(principal(context));
      turns.pause(wait);
    }
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
    return new Caller(
        principal.id(), principal.actor(), space, principal.right(), principal.spaces());
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
    if (!open || isForwarded(context)) {
      throw ServerException.keyMissing();
    }
    return LOCAL;
  }

  /** What a proxy of this machine hands on comes from anywhere. */
  private static boolean isForwarded(Context context) {
    return FORWARDED.stream().anyMatch(name -> context.header(name) != null);
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
