package dev.caliber.server.rest;

import dev.caliber.server.access.Admission;
import dev.caliber.server.access.Keys;
import dev.caliber.server.access.Principal;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.ServerException;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Says who calls, and about which space: by a key, or by the cookie of a login. */
final class Gate {
  static final String SPACE = Admission.SPACE;

  private static final List<String> FORWARDED =
      List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via");

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

  /** Refuses a key that was good when the request began. */
  void again(Context context) {
    principal(context);
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
    return admission.admit(principal(context), Optional.ofNullable(context.header(SPACE)));
  }

  private Principal principal(Context context) {
    Optional<String> header = Optional.ofNullable(context.header("Authorization"));
    return header.isPresent()
        ? admission.principal(header)
        : Login.principal(context, keys).orElseGet(() -> local(context));
  }

  /** What a proxy of this machine hands on comes from anywhere. */
  private Principal local(Context context) {
    if (FORWARDED.stream().anyMatch(name -> context.header(name) != null)) {
      throw ServerException.keyMissing();
    }
    return admission.principal(Optional.empty());
  }

  static boolean isSafe(HandlerType method) {
    return method.equals(HandlerType.GET) || method.equals(HandlerType.HEAD);
  }
}
