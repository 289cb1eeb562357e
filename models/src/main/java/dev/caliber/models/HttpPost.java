package dev.caliber.models;

import dev.caliber.models.ModelsConfig.HttpLimits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Posts JSON through the guard. Redirects are not followed, no proxy is asked, and an answer has a
 * longest size and a longest time, the last byte included.
 */
final class HttpPost implements AutoCloseable {

  private static final String TOO_LONG = "exceeds capacity";

  private final String provider;
  private final EgressGuard guard;
  private final HttpLimits limits;
  private final HttpClient client;

  HttpPost(String provider, EgressGuard guard, HttpLimits limits) {
    this.provider = provider;
    this.guard = guard;
    this.limits = limits;
    this.client =
        HttpClient.newBuilder()
            .followRedirects(Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .version(Version.HTTP_1_1)
            .connectTimeout(limits.connectTimeout())
            .build();
  }

  HttpResponse<byte[]> send(
      URI address, Map<String, String> headers, byte[] json, Duration patience) {
    guard.check(address);
    var request =
        HttpRequest.newBuilder(address)
            .timeout(patience)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .POST(BodyPublishers.ofByteArray(json));
    headers.forEach(request::header);
    return await(
        client.sendAsync(
            request.build(),
            BodyHandlers.limiting(BodyHandlers.ofByteArray(), limits.answerLimit().bytes())),
        patience);
  }

  private HttpResponse<byte[]> await(
      CompletableFuture<HttpResponse<byte[]>> answer, Duration patience) {
    try {
      return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      answer.cancel(true);
      throw ModelsException.requestFailed(provider, "no whole answer within " + patience);
    } catch (InterruptedException _) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw ModelsException.interrupted();
    } catch (ExecutionException e) {
      throw failure(Objects.requireNonNullElse(e.getCause(), e));
    }
  }

  /* Only the type of the cause is told: messages of the client may hold parts of what was sent. */
  private ModelsException failure(Throwable cause) {
    boolean tooLong =
        cause instanceof IOException && String.valueOf(cause.getMessage()).contains(TOO_LONG);
    return tooLong
        ? ModelsException.invalidResponse(
            provider, "it is longer than models.http.limits.answer-limit " + limits.answerLimit())
        : ModelsException.requestFailed(provider, cause.getClass().getSimpleName());
  }

  @Override
  public void close() {
    client.shutdownNow();
    client.close();
  }
}
