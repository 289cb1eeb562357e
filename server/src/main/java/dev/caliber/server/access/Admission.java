package dev.caliber.server.access;

import dev.caliber.agents.registry.ActingAgent;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.AccessRight;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The authentication of callers and the choice of their space, for every protocol. */
public final class Admission {
  /** The header or metadata with the name of the acting agent. */
  public static final String AGENT = "Caliber-Agent";

  /** The header or metadata with the one subject whose records a request sees. */
  public static final String SUBJECT = "Caliber-Subject";

  /** The header or metadata with the space. */
  public static final String SPACE = "Caliber-Space";

  private static final String BEARER = "Bearer ";
  private static final Set<String> FORWARDED = Set.of("forwarded", "x-real-ip", "via");
  private static final String FORWARDING = "x-forwarded-";
  private static final Principal LOCAL =
      new Principal("", "local", AccessRight.ADMIN, List.of(), Optional.empty(), Optional.empty());

  private final ApiKeys apiKeys;
  private final RateLimiter rateLimiter;
  private final SpaceId space;
  private final boolean open;

  private Admission(ApiKeys apiKeys, RateLimiter rateLimiter, SpaceId space, boolean open) {
    this.apiKeys = apiKeys;
    this.rateLimiter = rateLimiter;
    this.space = space;
    this.open = open;
  }

  /**
   * Creates an admission with the rates and the space of the settings.
   *
   * @param open whether callers without a key are admitted
   */
  public static Admission of(
      ApiKeys apiKeys, ServerConfig config, InstantSource clock, boolean open) {
    ServerConfig.ServerLimits serverLimits = config.limits();
    return new Admission(
        apiKeys,
        new RateLimiter(clock, serverLimits.burst(), serverLimits.requestsPerSecond()),
        config.defaultSpace(),
        open);
  }

  /**
   * Returns the principal of this header. Requests without one are refused if a proxy on this
   * machine forwarded them, because their origin is unknown.
   *
   * @param headers the names of all headers of the request
   */
  public Principal authenticate(Optional<String> authorization, Collection<String> headers) {
    if (authorization.isPresent()) {
      return apiKeys.authenticate(bearerToken(authorization.get()));
    }
    if (!open || headers.stream().anyMatch(Admission::isForwardingHeader)) {
      throw ServerException.keyMissing();
    }
    return LOCAL;
  }

  private static boolean isForwardingHeader(String header) {
    String name = header.toLowerCase(Locale.ROOT);
    return name.startsWith(FORWARDING) || FORWARDED.contains(name);
  }

  private static String bearerToken(String header) {
    if (!header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      throw ServerException.keyRefused();
    }
    return header.substring(BEARER.length()).strip();
  }

  /** Takes one request of the principal's rate, or refuses. */
  public void takeRequest(Principal principal) {
    rateLimiter.acquire(principal);
  }

  /** Takes one request of the principal's rate and returns zero, or returns the time to wait. */
  public Duration takeRequestOrWaitTime(Principal principal) {
    return rateLimiter.acquireOrWaitTime(principal);
  }

  /** Charges the caller's rate for more requests, for work that is already running. */
  public void chargeRequests(Caller caller, int more) {
    rateLimiter.chargeRequests(caller.id(), more);
  }

  /** The space, agent and subject that a request names. */
  public record RequestedIdentity(
      Optional<String> space, Optional<String> agent, Optional<String> subject) {}

  /** Admits a principal to a space if its key allows the space and its rate is not used up. */
  public Caller admitCaller(Principal principal, RequestedIdentity requestedIdentity) {
    rateLimiter.acquire(principal);
    SpaceId wanted =
        requestedIdentity
            .space()
            .map(Admission::parseSpace)
            .orElseGet(() -> defaultSpace(principal));
    requireNotReserved(wanted);
    if (!principal.canEnter(wanted)) {
      throw ServerException.spaceDenied(wanted);
    }
    Caller caller =
        limitToSubject(
            new Caller(
                principal.id(), principal.actor(), wanted, principal.right(), principal.spaces()),
            principal,
            requestedIdentity);
    return actingAgent(principal, requestedIdentity.agent(), wanted)
        .map(caller::actingAs)
        .orElse(caller);
  }

  /**
   * Returns the caller for a command of this machine, which may open the store and so may do
   * everything.
   *
   * @param actor the name in the audit log
   */
  public static Caller localCaller(SpaceId space, String actor) {
    requireNotReserved(space);
    return new Caller(LOCAL.id(), actor, space, LOCAL.right(), LOCAL.spaces());
  }

  /** Limits the caller to the subject of the key, else to the one that the request names. */
  private static Caller limitToSubject(
      Caller caller, Principal principal, RequestedIdentity requestedIdentity) {
    Caller own = principal.subject().map(caller::forSubject).orElse(caller);
    return requestedIdentity.subject().map(SubjectHeader::decode).map(own::forSubject).orElse(own);
  }

  private static void requireNotReserved(SpaceId space) {
    if (space.equals(SpaceId.SERVER)) {
      throw ServerException.reservedSpace(space);
    }
  }

  /** Returns the agent of the key, else the one that the request names if its space is allowed. */
  private static Optional<ActingAgent> actingAgent(
      Principal principal, Optional<String> named, SpaceId space) {
    Optional<ActingAgent> own = principal.agent().map(text -> ActingAgent.parse(text, space));
    Optional<ActingAgent> wanted = named.map(text -> parseAgent(text, space));
    wanted
        .filter(one -> own.isPresent() ? !own.get().equals(one) : !principal.canEnter(one.home()))
        .ifPresent(
            one -> {
              throw ServerException.agentDenied(one.toString());
            });
    Optional<ActingAgent> acting = own.or(() -> wanted);
    acting.map(ActingAgent::home).ifPresent(Admission::requireNotReserved);
    return acting;
  }

  private static ActingAgent parseAgent(String name, SpaceId space) {
    try {
      return ActingAgent.parse(name, space);
    } catch (KernelException _) {
      throw ServerException.invalidInput(
          "", AGENT + ": expected the name of an agent, or SPACE/NAME");
    }
  }

  private SpaceId defaultSpace(Principal principal) {
    return principal.spaces().size() == 1 ? principal.spaces().getFirst() : space;
  }

  private static SpaceId parseSpace(String name) {
    try {
      return new SpaceId(name);
    } catch (KernelException _) {
      throw ServerException.invalidInput("", SPACE + ": expected the name of a space");
    }
  }
}
