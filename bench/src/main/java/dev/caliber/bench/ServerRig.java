package dev.caliber.bench;

import dev.caliber.agents.AgentsConfig;
import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.models.ModelsConfig;
import dev.caliber.server.CaliberServer;
import dev.caliber.server.Setup;
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
final class ServerRig implements AutoCloseable {
  /** Vectors come from hashes: what is measured is the server, not a model. */
  static final ModelsConfig HASHES =
      ModelsConfig.starter().withProvider(ModelsConfig.Provider.HASH);

  private static final int OK = 200;
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int MOST = 100_000;
  private static final double RATE = 1_000_000;

  private final CaliberServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  ServerRig(StoreConfig.EngineConfig engine, Path directory) {
    this.server = CaliberServer.start(setup(engine, directory, HASHES));
  }

  static Setup setup(StoreConfig.EngineConfig engine, Path directory, ModelsConfig models) {
    return setup(engine, directory, models, Stopwatch.clock());
  }

  static Setup setup(
      StoreConfig.EngineConfig engine, Path directory, ModelsConfig models, Clock clock) {
    SearchConfig search = SearchConfig.starter();
    SearchConfig.General general = search.general();
    ServerConfig config = ServerConfig.starter().listeningAt("127.0.0.1", 0);
    ServerConfig.Limits limits = config.limits();
    return new Setup(
        StoreConfig.starter().withEngine(engine),
        search.withGeneral(
            new SearchConfig.General(
                directory.resolve("index"),
                general.patience(),
                general.limitMax(),
                general.migration())),
        models,
        MemoryConfig.starter(),
        RuntimeConfig.starter(),
        AgentsConfig.starter(),
        config.withLimits(
            new ServerConfig.Limits(
                limits.body(),
                limits.requests(),
                limits.patience(),
                limits.idle(),
                limits.stop(),
                limits.page(),
                limits.hits(),
                limits.commit(),
                limits.streams(),
                MOST,
                RATE)),
        Map.of(),
        clock,
        Chance.system());
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

  /** Returns when no text waits for a vector any more: nothing runs beside what is measured. */
  void settle() {
    while (backlog() > 0) {
      Stopwatch.waitUntil(Stopwatch.after(PAUSE));
    }
  }

  private long backlog() {
    HttpRequest look = HttpRequest.newBuilder(server.address().resolve("/api/v1/overview")).build();
    try {
      byte[] answer = client.send(look, BodyHandlers.ofByteArray()).body();
      return Json.mapper().readTree(answer).path("index").path("backlog").asLong();
    } catch (IOException e) {
      throw BenchException.preparing("Asking for the backlog", e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return 0; // nobody waits any more
    }
  }

  /** Whether it has all that requests need. */
  static boolean isReady(HttpClient client, URI address) {
    try {
      HttpRequest look = HttpRequest.newBuilder(address.resolve("/health/ready")).build();
      return client.send(look, BodyHandlers.discarding()).statusCode() == OK;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return true; // nobody waits any more
    }
  }

  static String remembering(long number) {
    return "{\"text\": \"%s\", \"about\": \"c%d\"}".formatted(Corpus.text(number), number);
  }

  static String recalling(long number) {
    return "{\"query\": \"%s\"}".formatted(Corpus.questionWords(number));
  }

  @Override
  public void close() {
    client.shutdownNow();
    server.close();
  }
}
