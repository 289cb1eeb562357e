package dev.caliber.server.rest;

import dev.caliber.server.access.Admission;
import dev.caliber.server.access.Keys;
import dev.caliber.server.access.Principal;
import dev.caliber.server.operation.Caller;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
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

  Caller caller(Context context) {
    return admission.admit(principal(context), Optional.ofNullable(context.header(SPACE)));
  }

  private Principal principal(Context context) {
    Optional<String> header = Optional.ofNullable(context.header("Authorization"));
    return header.isPresent()
        ? admission.principal(header)
        : Login.principal(context, keys).orElseGet(() -> admission.principal(header));
  }

  static boolean isSafe(HandlerType method) {
    return method.equals(HandlerType.GET) || method.equals(HandlerType.HEAD);
  }
}
