package dev.caliber.bench.server;

import dev.caliber.agents.AgentsConfig;
import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.bench.search.SearchCorpus;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.models.ModelsConfig;
import dev.caliber.server.CaliberServer;
import dev.caliber.server.ServerSetup;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchConfig;
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
import java.util.Map;

/** A server on a free port of this machine, without the limits of a single client, and a client. */
public final class BenchServer implements AutoCloseable {
  /** Models with hash vectors: the server is measured, not a model. */
  public static final ModelsConfig HASHES =
      ModelsConfig.starter().withProvider(ModelsConfig.EmbeddingProvider.HASH);

  private static final int OK = 200;
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int MOST = 100_000;

  private final CaliberServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  BenchServer(StoreConfig.EngineSettings engine, Path directory) {
    this.server = CaliberServer.start(setup(engine, directory, HASHES));
  }

  static ServerSetup setup(StoreConfig.EngineSettings engine, Path directory, ModelsConfig models) {
    return setup(engine, directory, models, Stopwatch.clock());
  }

  static ServerSetup setup(
      StoreConfig.EngineSettings engine, Path directory, ModelsConfig models, Clock clock) {
    return new ServerSetup(
        StoreConfig.starter().withEngine(engine),
        SearchConfig.starter().withDirectory(directory.resolve("index")),
        models,
        MemoryConfig.starter(),
        RuntimeConfig.starter(),
        AgentsConfig.starter(),
        ServerConfig.starter()
            .withAddress("127.0.0.1", 0)
            .with("server.limits.burst = " + MOST, "server.limits.requests-per-second = " + MOST),
        Map.of(),
        clock,
        RandomSource.system());
  }

  URI address() {
    return server.address();
  }

  HttpClient client() {
    return client;
  }

  boolean post(String path, String body) {
    return post(client, server.address(), path, body);
  }

  static boolean post(HttpClient client, URI address, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(address.resolve("/api/v1" + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    try {
      HttpResponse<Void> answer = client.send(request, BodyHandlers.discarding());
      return answer.statusCode() == OK;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Waits until no text waits for a vector, so that embedding does not disturb the measurement. */
  void awaitVectors() {
    while (backlog() > 0) {
      Stopwatch.waitUntil(Stopwatch.nanosAfter(PAUSE));
    }
  }

  private long backlog() {
    HttpRequest look = HttpRequest.newBuilder(server.address().resolve("/api/v1/overview")).build();
    try {
      byte[] answer = client.send(look, BodyHandlers.ofByteArray()).body();
      return Json.mapper().readTree(answer).path("index").path("backlog").asLong();
    } catch (IOException e) {
      throw BenchException.preparationFailed("Asking for the backlog", e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return 0; // interrupted: the caller ends
    }
  }

  /** Returns whether the server has everything that requests need. */
  static boolean isReady(HttpClient client, URI address) {
    try {
      HttpRequest look = HttpRequest.newBuilder(address.resolve("/health/ready")).build();
      return client.send(look, BodyHandlers.discarding()).statusCode() == OK;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return true; // interrupted: the caller ends
    }
  }

  static String rememberBody(long number) {
    return "{\"text\": \"%s\", \"about\": \"c%d\"}".formatted(SearchCorpus.text(number), number);
  }

  static String recallBody(long number) {
    return "{\"query\": \"%s\"}".formatted(SearchCorpus.questionWords(number));
  }

  @Override
  public void close() {
    client.shutdownNow();
    server.close();
  }
}
