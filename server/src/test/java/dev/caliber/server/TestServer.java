package dev.caliber.server;

import dev.caliber.agents.AgentsConfig;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SystemAccess;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.models.ModelsConfig;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.testkit.TestEngines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;

/** A server on a free port, and a client of it. */
@NullMarked
final class TestServer implements AutoCloseable {
  static final String BASE = "/api/v1";

  private final CaliberServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  private TestServer(CaliberServer server) {
    this.server = server;
  }

  /** A response. */
  record Reply(int status, JsonNode body, HttpResponse<byte[]> raw) {
    String text(String... path) {
      JsonNode node = body;
      for (String step : path) {
        node = node.path(step);
      }
      return node.asString("");
    }

    String header(String name) {
      return raw.headers().firstValue(name).orElse("");
    }
  }

  static TestServer start(Path directory) {
    return start(setup(directory, starter()));
  }

  static TestServer start(ServerSetup serverSetup) {
    return new TestServer(CaliberServer.start(serverSetup));
  }

  static ServerConfig starter() {
    return ServerConfig.starter().withAddress("127.0.0.1", 0);
  }

  @SystemAccess("a server under test runs on the time of its process")
  static ServerSetup setup(Path directory, ServerConfig server) {
    return new ServerSetup(
        StoreConfig.starter().withEngine(TestEngines.sqlite(directory.resolve("data"))),
        SearchConfig.starter().withDirectory(directory.resolve("index")),
        ModelsConfig.starter().withProvider(ModelsConfig.EmbeddingProvider.HASH),
        MemoryConfig.starter(),
        RuntimeConfig.starter(),
        AgentsConfig.starter(),
        server,
        Map.of(),
        Clock.systemUTC(),
        RandomSource.system());
  }

  CaliberServer server() {
    return server;
  }

  URI uri(String path) {
    return URI.create(server.address() + path);
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(uri(BASE + path));
  }

  Reply get(String path) {
    return send(request(path).GET());
  }

  Reply post(String path, String json) {
    return send(json(request(path), json));
  }

  static HttpRequest.Builder json(HttpRequest.Builder request, String json) {
    return request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(json));
  }

  Reply send(HttpRequest.Builder request) {
    try {
      HttpResponse<byte[]> raw = client.send(request.build(), BodyHandlers.ofByteArray());
      boolean json =
          raw.body().length > 0
              && raw.headers()
                  .firstValue("Content-Type")
                  .orElse("")
                  .matches("application/(problem\\+)?json.*");
      return new Reply(
          raw.statusCode(),
          json ? Json.mapper().readTree(raw.body()) : Json.mapper().missingNode(),
          raw);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
