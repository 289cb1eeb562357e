package dev.caliber.server.rest;

import dev.caliber.kernel.Hashing;
import dev.caliber.server.access.Keys;
import dev.caliber.server.access.Principal;
import dev.caliber.server.operation.ServerException;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * A browser's way in: a key of its own in a cookie that no script can read and no other site can
 * send. What it changes needs a token beside the cookie.
 */
final class Login {
  static final String COOKIE = "caliber_login";
  static final String CSRF = "Caliber-Csrf";

  private Login() {}

  /** Who has logged in. */
  static Optional<Principal> principal(Context context, Keys keys) {
    String secret = context.cookie(COOKIE);
    if (secret == null) {
      return Optional.empty();
    }
    if (!Gate.isSafe(context.method()) && !isToken(context.header(CSRF), secret)) {
      throw ServerException.csrfTokenMissing();
    }
    return Optional.of(keys.authenticate(secret));
  }

  /** What has to come beside the cookie; it tells nothing about it. */
  static String token(String secret) {
    return Hashing.hash("csrf", secret);
  }

  private static boolean isToken(@org.jspecify.annotations.Nullable String sent, String secret) {
    return sent != null
        && MessageDigest.isEqual(
            sent.getBytes(StandardCharsets.UTF_8), token(secret).getBytes(StandardCharsets.UTF_8));
  }
}
