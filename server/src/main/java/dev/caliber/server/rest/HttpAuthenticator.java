package dev.caliber.server.rest;

import dev.caliber.server.access.Admission;
import dev.caliber.server.access.ApiKeys;
import dev.caliber.server.access.Principal;
import dev.caliber.server.access.RequestLimiter;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.ServerException;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.time.Duration;
import java.util.Optional;

/** The authentication of requests by API key or login cookie, and the choice of their space. */
final class HttpAuthenticator {
  static final String SPACE = Admission.SPACE;

  private final Admission admission;
  private final ApiKeys apiKeys;

  HttpAuthenticator(Admission admission, ApiKeys apiKeys) {
    this.admission = admission;
    this.apiKeys = apiKeys;
  }

  /** Admits a login with this key, which takes one request of its rate. */
  void admitLogin(String secret) {
    admission.takeRequest(apiKeys.authenticate(secret));
  }

  /** Returns the principal of a running request; refuses a key that was revoked meanwhile. */
  Principal reauthenticate(Context context) {
    return principal(context);
  }

  /** Waits between parts of a long request for the key's rate; refuses a revoked key. */
  void awaitNextRequest(Context context, RequestLimiter requestLimiter)
      throws InterruptedException {
    Duration wait = admission.takeRequestOrWaitTime(principal(context));
    requestLimiter.pause(wait);
    while (wait.isPositive()) {
      wait = admission.takeRequestOrWaitTime(principal(context));
      requestLimiter.pause(wait);
    }
  }

  Caller caller(Context context) {
    return admission.admitCaller(
        principal(context),
        new Admission.RequestedIdentity(
            Optional.ofNullable(context.header(SPACE)),
            Optional.ofNullable(context.header(Admission.AGENT)),
            Optional.ofNullable(context.header(Admission.SUBJECT))));
  }

  /** Refuses keys limited to some spaces, for paths that report on all spaces. */
  void requireAllSpaces(Context context) {
    Caller caller = caller(context);
    caller.requireWholeSpace(context.path());
    if (!caller.spaces().isEmpty()) {
      throw ServerException.allSpacesRequired();
    }
  }

  private Principal principal(Context context) {
    Optional<String> header = Optional.ofNullable(context.header("Authorization"));
    Optional<Principal> loggedIn =
        header.isPresent() ? Optional.empty() : LoginHandler.loggedInPrincipal(context, apiKeys);
    return loggedIn.orElseGet(() -> admission.authenticate(header, context.headerMap().keySet()));
  }

  static boolean isSafeMethod(HandlerType method) {
    return method.equals(HandlerType.GET) || method.equals(HandlerType.HEAD);
  }
}
