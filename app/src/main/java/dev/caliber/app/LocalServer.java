package dev.caliber.app;

import dev.caliber.kernel.Durations;
import dev.caliber.server.ServerFile;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.StoreConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The server that holds an embedded store: the one that is there, or one that is started. Several
 * that are started at once are no harm: the store lets one in, and the others end.
 */
final class LocalServer {
  private static final String LOG_FILE = "server.log";
  private static final Duration LOOK_BOUND = Duration.ofMillis(50);

  private final Workbench workbench;
  private final HttpClient client;
  private final ServerConfig.Mcp config;
  private final Path directory;

  LocalServer(Workbench workbench, HttpClient client) {
    this.workbench = workbench;
    this.client = client;
    this.config = workbench.rooms().server().mcp();
    this.directory = directory(workbench.storeConfig());
  }

  private static Path directory(StoreConfig config) {
    if (config.engine() instanceof StoreConfig.Sqlite sqlite) {
      return sqlite.directory();
    }
    throw AppException.usage(
        "Only the server of an embedded store is found by its directory",
        "Name the server with --url.");
  }

  /** Where it listens; waits for one that has to start. */
  synchronized URI locate() throws InterruptedException {
    Instant end = workbench.surroundings().clock().instant().plus(config.start());
    @Nullable Process started = null;
    Optional<URI> found = living();
    while (found.isEmpty()) {
      if (workbench.surroundings().clock().instant().isAfter(end)) {
        throw AppException.noServer(directory.resolve(LOG_FILE));
      }
      if (started == null || !started.isAlive()) {
        started = start();
      }
      boolean _ = started.waitFor(LOOK_BOUND.toMillis(), TimeUnit.MILLISECONDS);
      found = living();
    }
    return found.get();
  }

  private Optional<URI> living() throws InterruptedException {
    try {
      Optional<URI> named = ServerFile.find(directory);
      return named.isPresent() && isLiving(named.get()) ? named : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a file says may be long past. */
  private boolean isLiving(URI address) throws InterruptedException {
    try {
      HttpRequest look =
          HttpRequest.newBuilder(address.resolve("/health/live")).timeout(config.start()).build();
      HttpResponse<Void> answer = client.send(look, BodyHandlers.discarding());
      return answer.statusCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException _) {
      return false;
    }
  }

  private Process start() {
    try {
      Files.createDirectories(directory);
      ProcessBuilder.Redirect log =
          ProcessBuilder.Redirect.appendTo(directory.resolve(LOG_FILE).toFile());
      return new ProcessBuilder(command())
          .directory(workbench.surroundings().directory().toFile())
          .redirectOutput(log)
          .redirectError(log)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> command() {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                "--port",
                "0",
                "--idle-exit",
                Durations.format(config.idle()),
                "--data",
                directory.toString()));
    workbench.namedConfig().ifPresent(file -> command.addAll(List.of("--config", file.toString())));
    return command;
  }
}
