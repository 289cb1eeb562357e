package dev.caliber.server.rest;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Json;
import dev.caliber.server.access.ApiKeys;
import dev.caliber.server.access.Principal;
import dev.caliber.server.access.RequestLimiter;
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
 * The login of a browser: a separate key in a cookie that scripts cannot read and other sites
 * cannot send. Changes need a token beside the cookie.
 */
final class LoginHandler {
  static final String COOKIE = "caliber_login";
  static final String CSRF = "Caliber-Csrf";

  private final ApiKeys apiKeys;
  private final HttpAuthenticator httpAuthenticator;
  private final RequestLimiter requestLimiter;
  private final RequestBodyReader requestBodyReader;
  private final Duration life;
  private final int most;

  LoginHandler(ApiKeys apiKeys, HandlerDependencies handlerDependencies, ServerConfig config) {
    this.apiKeys = apiKeys;
    this.httpAuthenticator = handlerDependencies.authenticator();
    this.requestLimiter = handlerDependencies.requestLimiter();
    this.requestBodyReader = handlerDependencies.bodyReader();
    this.life = config.keeping().login();
    this.most = config.network().perKey().logins();
  }

  /** The token for changes, and the name of the principal. */
  private record LoginResponse(String csrf, String name) {}

  private record LogoutResponse(boolean done) {}

  void logIn(Context context) throws Exception {
    String key =
        RequestInputReader.parseObject(requestBodyReader.read(context)).path("key").asString("");
    httpAuthenticator.admitLogin(key);
    ApiKeys.CreatedApiKey made =
        requestLimiter.runLimited(() -> apiKeys.createLogin(key, life, most));
    context.cookie(cookie(context, made.secret(), (int) life.toSeconds()));
    writeAnswer(context, new LoginResponse(csrfToken(made.secret()), made.key().name()));
  }

  /** Ends the login of the cookie. */
  void logOut(Context context) {
    String secret = context.cookie(COOKIE);
    if (secret != null) {
      requireCsrfToken(context, secret);
      apiKeys.endLogin(secret);
    }
    context.cookie(cookie(context, "", 0));
    writeAnswer(context, new LogoutResponse(true));
  }

  private static void writeAnswer(Context context, Object body) {
    context.contentType(MediaTypes.JSON).result(Json.bytes(body));
  }

  private static Cookie cookie(Context context, String value, int seconds) {
    Cookie cookie = new Cookie(COOKIE, value, "/", seconds);
    cookie.setHttpOnly(true);
    cookie.setSecure(context.scheme().equals("https"));
    cookie.setSameSite(SameSite.STRICT);
    return cookie;
  }

  /** Returns the principal of the login. */
  static Optional<Principal> loggedInPrincipal(Context context, ApiKeys apiKeys) {
    String secret = context.cookie(COOKIE);
    if (secret == null) {
      return Optional.empty();
    }
    if (!HttpAuthenticator.isSafeMethod(context.method())) {
      requireCsrfToken(context, secret);
    }
    return Optional.of(apiKeys.authenticateLogin(secret));
  }

  private static void requireCsrfToken(Context context, String secret) {
    if (!isCsrfToken(context.header(CSRF), secret)) {
      throw ServerException.csrfTokenMissing();
    }
  }

  /** Returns the token that has to accompany the cookie, and that reveals nothing about it. */
  private static String csrfToken(String secret) {
    return FieldHash.hash("csrf", secret);
  }

  private static boolean isCsrfToken(@Nullable String sent, String secret) {
    return sent != null
        && MessageDigest.isEqual(
            sent.getBytes(StandardCharsets.UTF_8),
            csrfToken(secret).getBytes(StandardCharsets.UTF_8));
  }
}
