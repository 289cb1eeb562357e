package dev.caliber.models;

import dev.caliber.models.ModelsConfig.HttpModelLimits;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Map;

/** POST of JSON to a model's server that waits for the whole answer. */
final class HttpPost implements AutoCloseable {
  private final GuardedHttpClient guardedHttpClient;

  HttpPost(String provider, EgressGuard guard, HttpModelLimits limits) {
    this.guardedHttpClient =
        new GuardedHttpClient(
            provider,
            guard,
            new GuardedHttpClient.HttpClientLimits(
                limits.connectTimeout(),
                limits.responseTimeout(),
                limits.responseTimeout(),
                limits.responseLimit(),
                "models.http.limits"));
  }

  /** Complete response. */
  @SuppressWarnings("ArrayRecordComponent") // read once, never compared
  record HttpPostResponse(int status, HttpHeaders headers, byte[] body) {}

  HttpPostResponse send(URI address, Map<String, String> headers, byte[] json, Duration patience) {
    try (ResponseStream answer = guardedHttpClient.post(address, headers, json, patience)) {
      return new HttpPostResponse(answer.status(), answer.headers(), answer.readAllBytes());
    }
  }

  @Override
  public void close() {
    guardedHttpClient.close();
  }
}
