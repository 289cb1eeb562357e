package dev.caliber.server.rest;

import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Json;
import dev.caliber.server.access.Keys;
import dev.caliber.server.access.Principal;
import dev.caliber.server.access.Turns;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A browser's way in: a key of its own in a cookie that no script can read and no other site can
 * send. What it changes needs a token beside the cookie.
 */
final class Login {
  static final String COOKIE = "caliber_login";
  static final String CSRF = "Caliber-Csrf";

  private final Keys keys;
  private final Gate gate;
  private final Turns turns;
  private final Bodies bodies;
  private final Duration life;
  private final int most;

  Login(Keys keys, Edge edge, ServerConfig config) {
    this.keys = keys;
    this.gate = edge.gate();
    this.turns = edge.turns();
    this.bodies = edge.bodies();
    this.life = config.keeping().login();
    this.most = config.network().perKey().logins();
  }

  /** The token, and who it is for. */
  private record LoggedIn(String csrf, String name) {}

  private record LoggedOut(boolean done) {}

  void in(Context context) throws Exception {
    String key = Binding.object(bodies.read(context)).path("key").asString("");
    gate.admit(key);
    Keys.Created made = turns.take(() -> keys.logIn(key, life, most));
    context.cookie(cookie(context, made.secret(), (int) life.toSeconds()));
    answer(context, new LoggedIn(token(made.secret()), made.key().name()));
  }

  /** The cookie's key is of no use from now on. */
  void out(Context context) {
    String secret = context.cookie(COOKIE);
    if (secret != null) {
      requireToken(context, secret);
      keys.logOut(secret);
    }
    context.cookie(cookie(context, "", 0));
    answer(context, new LoggedOut(true));
  }

  private static void answer(Context context, Object body) {
    context.contentType(MediaTypes.JSON).result(Json.bytes(body));
  }

  private static Cookie cookie(Context context, String value, int seconds) {
    Cookie cookie = new Cookie(COOKIE, value, "/", seconds);
    cookie.setHttpOnly(true);
    cookie.setSecure(context.scheme().equals("https"));
    cookie.setSameSite(SameSite.STRICT);
    return cookie;
  }

  /** Who has logged in. */
  static Optional<Principal> principal(Context context, Keys keys) {
    String secret = context.cookie(COOKIE);
    if (secret == null) {
      return Optional.empty();
    }
    if (!Gate.isSafe(context.method())) {
      requireToken(context, secret);
    }
    return Optional.of(keys.loggedIn(secret));
  }

  private static void requireToken(Context context, String secret) {
    if (!isToken(context.header(CSRF), secret)) {
      throw ServerException.csrfTokenMissing();
    }
  }

  /** What has to come beside the cookie; it tells nothing about it. */
  private static String token(String secret) {
    return Hashing.hash("csrf", secret);
  }

  private static boolean isToken(@Nullable String sent, String secret) {
    return sent != null
        && MessageDigest.isEqual(
            sent.getBytes(StandardCharsets.UTF_8), token(secret).getBytes(StandardCharsets.UTF_8));
  }
}
