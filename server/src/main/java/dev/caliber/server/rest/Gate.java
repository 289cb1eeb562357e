package dev.caliber.server.rest;

import dev.caliber.server.access.Admission;
import dev.caliber.server.access.Keys;
import dev.caliber.server.access.Principal;
import dev.caliber.server.access.Turns;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.ServerException;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.time.Duration;
import java.util.Optional;

/** Says who calls, and about which space: by a key, or by the cookie of a login. */
final class Gate {
  static final String SPACE = Admission.SPACE;

  private final Admission admission;
  private final Keys keys;

  Gate(Admission admission, Keys keys) {
    this.admission = admission;
    this.keys = keys;
  }

  /** Who logs in with this key; that takes a request of its rate. */
  void admit(String secret) {
    admission.take(keys.authenticate(secret));
  }

  /** Who it still is; refuses a key that was good when the request began. */
  Principal again(Context context) {
    return principal(context);
  }

  /** Before the next piece of a long request: the key is still good, and has a request left. */
  void next(Context context, Turns turns) throws InterruptedException {
    Duration wait = admission.ask(principal(context));
    turns.pause(wait);
    while (wait.isPositive()) {
      wait = admission.ask(principal(context));
      turns.pause(wait);
    }
  }

  Caller caller(Context context) {
    return admission.admit(
        principal(context),
        new Admission.Named(
            Optional.ofNullable(context.header(SPACE)),
            Optional.ofNullable(context.header(Admission.AGENT)),
            Optional.ofNullable(context.header(Admission.SUBJECT))));
  }

  /** For what tells of every space; a key for some of them opens it no more than theirs. */
  void forAllSpaces(Context context) {
    Caller caller = caller(context);
    caller.requireWholeSpace(context.path());
    if (!caller.spaces().isEmpty()) {
      throw ServerException.allSpacesWanted();
    }
  }

  private Principal principal(Context context) {
    Optional<String> header = Optional.ofNullable(context.header("Authorization"));
    Optional<Principal> loggedIn =
        header.isPresent() ? Optional.empty() : Login.principal(context, keys);
    return loggedIn.orElseGet(() -> admission.principal(header, context.headerMap().keySet()));
  }

  static boolean isSafe(HandlerType method) {
    return method.equals(HandlerType.GET) || method.equals(HandlerType.HEAD);
  }
}
