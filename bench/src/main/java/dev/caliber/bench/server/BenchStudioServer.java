package dev.caliber.bench.server;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.bench.harness.PastClock;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SystemAccess;
import dev.caliber.models.ModelsConfig;
import dev.caliber.server.CaliberServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** A server with a directory and a client of its own, without request limits. */
public final class BenchStudioServer implements AutoCloseable {
  private static final int REFUSED = 400;
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final PastClock clock;
  private final CaliberServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  private BenchStudioServer(PastClock clock, CaliberServer server) {
    this.clock = clock;
    this.server = server;
  }

  /** Starts in the past, because ids never go back in time. */
  @SystemAccess("a server with past data needs the start of its clock")
  public static BenchStudioServer start(Path directory, Duration ago, ModelsConfig models) {
    PastClock clock = new PastClock(Clock.systemUTC());
    clock.goBack(ago);
    return new BenchStudioServer(
        clock,
        CaliberServer.start(
            BenchServer.setup(
                BenchLocations.sqliteIn(directory.resolve("store")), directory, models, clock)));
  }

  PastClock clock() {
    return clock;
  }

  URI address() {
    return server.address();
  }

  /** Waits until no text waits for a vector, so that embedding does not disturb the measurement. */
  public void awaitVectors() {
    while (get("/overview").path("index").path("backlog").asLong() > 0) {
      Stopwatch.waitUntil(Stopwatch.nanosAfter(PAUSE));
    }
  }

  JsonNode get(String path) {
    return send(path, request(path).GET());
  }

  JsonNode post(String path, Object body) {
    return send(
        path,
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(Json.bytes(body))));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server.address() + "/api/v1" + path));
  }

  private JsonNode send(String path, HttpRequest.Builder request) {
    try {
      HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
      JsonNode read = Json.mapper().readTree(answer.body());
      if (answer.statusCode() >= REFUSED) {
        throw BenchException.preparationFailed(path + ": " + read, new IOException("refused"));
      }
      return read;
    } catch (IOException e) {
      throw BenchException.preparationFailed("Asking " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw BenchException.preparationFailed("Asking " + path, new IOException(e));
    }
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
