package dev.caliber.server.access;

import dev.caliber.agents.ActingAgent;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Right;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Says who calls, and about which space; the same for every protocol. */
public final class Admission {
  /** The header or metadata that names the agent as whom somebody acts. */
  public static final String AGENT = "Caliber-Agent";

  /** The header or metadata that names the one subject whose records a request sees. */
  public static final String SUBJECT = "Caliber-Subject";

  /** The header or metadata that names a space. */
  public static final String SPACE = "Caliber-Space";

  private static final String BEARER = "Bearer ";
  private static final Set<String> FORWARDED = Set.of("forwarded", "x-real-ip", "via");
  private static final String FORWARDING = "x-forwarded-";
  private static final Principal LOCAL =
      new Principal("", "local", Right.ADMIN, List.of(), Optional.empty(), Optional.empty());

  private final Keys keys;
  private final Rates rates;
  private final SpaceId space;
  private final boolean open;

  private Admission(Keys keys, Rates rates, SpaceId space, boolean open) {
    this.keys = keys;
    this.rates = rates;
    this.space = space;
    this.open = open;
  }

  /**
   * With the rates and the space of the settings.
   *
   * @param open whether who shows no key is let in
   */
  public static Admission of(Keys keys, ServerConfig config, InstantSource clock, boolean open) {
    ServerConfig.Limits limits = config.limits();
    return new Admission(
        keys, new Rates(clock, limits.burst(), limits.rate()), config.space(), open);
  }

  /**
   * Who shows this header, if there is one. Without it, what a proxy of this machine hands on comes
   * from anywhere, and needs a key.
   *
   * @param headers the names of all that the request has
   */
  public Principal principal(Optional<String> authorization, Collection<String> headers) {
    if (authorization.isPresent()) {
      return keys.authenticate(bearer(authorization.get()));
    }
    if (!open || headers.stream().anyMatch(Admission::isForwarding)) {
      throw ServerException.keyMissing();
    }
    return LOCAL;
  }

  private static boolean isForwarding(String header) {
    String name = header.toLowerCase(Locale.ROOT);
    return name.startsWith(FORWARDING) || FORWARDED.contains(name);
  }

  private static String bearer(String header) {
    if (!header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      throw ServerException.keyRefused();
    }
    return header.substring(BEARER.length()).strip();
  }

  /** Takes a request of somebody's rate, or refuses. */
  public void take(Principal principal) {
    rates.take(principal);
  }

  /** Takes a request of somebody's rate, or says how long there is none. */
  public Duration ask(Principal principal) {
    return rates.ask(principal);
  }

  /** Takes more requests of somebody's rate, for what is being done already. */
  public void count(Caller caller, int more) {
    rates.spend(caller.id(), more);
  }

  /** What a request says about where it is, as whom it is made, and for which subject. */
  public record Named(Optional<String> space, Optional<String> agent, Optional<String> subject) {}

  /** Lets somebody into a space, if that is theirs and they have not asked too often. */
  public Caller admit(Principal principal, Named named) {
    rates.take(principal);
    SpaceId wanted = named.space().map(Admission::space).orElseGet(() -> usual(principal));
    requireOpen(wanted);
    if (!principal.mayEnter(wanted)) {
      throw ServerException.spaceDenied(wanted);
    }
    Caller caller =
        subject(
            new Caller(
                principal.id(), principal.actor(), wanted, principal.right(), principal.spaces()),
            principal,
            named);
    return agent(principal, named.agent(), wanted).map(caller::as).orElse(caller);
  }

  /** Limited to the subject of the key; else to the one that is named. */
  private static Caller subject(Caller caller, Principal principal, Named named) {
    Caller own = principal.subject().map(caller::forSubject).orElse(caller);
    return named.subject().map(HeaderText::decode).map(own::forSubject).orElse(own);
  }

  private static void requireOpen(SpaceId space) {
    if (space.equals(SpaceId.SERVER)) {
      throw ServerException.reserved(space);
    }
  }

  /** The key's own; else the one that is named, if its space may be entered. */
  private static Optional<ActingAgent> agent(
      Principal principal, Optional<String> named, SpaceId space) {
    Optional<ActingAgent> own = principal.agent().map(text -> ActingAgent.parse(text, space));
    Optional<ActingAgent> wanted = named.map(text -> agent(text, space));
    wanted
        .filter(one -> own.isPresent() ? !own.get().equals(one) : !principal.mayEnter(one.home()))
        .ifPresent(
            one -> {
              throw ServerException.agentDenied(one.toString());
            });
    Optional<ActingAgent> acting = own.or(() -> wanted);
    acting.map(ActingAgent::home).ifPresent(Admission::requireOpen);
    return acting;
  }

  private static ActingAgent agent(String name, SpaceId space) {
    try {
      return ActingAgent.parse(name, space);
    } catch (KernelException _) {
      throw ServerException.invalidInput(
          "", AGENT + ": wanted the name of an agent, or SPACE/NAME");
    }
  }

  private SpaceId usual(Principal principal) {
    return principal.spaces().size() == 1 ? principal.spaces().getFirst() : space;
  }

  private static SpaceId space(String name) {
    try {
      return new SpaceId(name);
    } catch (KernelException _) {
      throw ServerException.invalidInput("", SPACE + ": wanted the name of a space");
    }
  }
}
