package dev.caliber.models;

import dev.caliber.models.ModelsConfig.HttpLimits;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Map;

/** Posts JSON to a model's server and waits for the whole answer. */
final class HttpPost implements AutoCloseable {
  private final Outbound outbound;

  HttpPost(String provider, EgressGuard guard, HttpLimits limits) {
    this.outbound =
        new Outbound(
            provider,
            guard,
            new Outbound.Limits(
                limits.connectTimeout(),
                limits.answerTimeout(),
                limits.answerTimeout(),
                limits.answerLimit(),
                "models.http.limits"));
  }

  /** A whole answer. */
  @SuppressWarnings("ArrayRecordComponent") // read once, compared by nobody
  record Answer(int status, HttpHeaders headers, byte[] body) {}

  Answer send(URI address, Map<String, String> headers, byte[] json, Duration patience) {
    try (Incoming answer = outbound.post(address, headers, json, patience)) {
      return new Answer(answer.status(), answer.headers(), answer.bytes());
    }
  }

  @Override
  public void close() {
    outbound.close();
  }
}
