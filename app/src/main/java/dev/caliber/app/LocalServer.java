package dev.caliber.app;

import dev.caliber.kernel.Durations;
import dev.caliber.kernel.Seam;
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
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The server that holds an embedded store: the one that is there, or one that is started. One that
 * was started although another came first does no harm: the store lets one in, and it ends.
 */
final class LocalServer {
  private static final String LOG_FILE = "server.log";
  private static final String LOCK_FILE = "server.start";
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
    Optional<URI> found = living();
    return found.isPresent() ? found.get() : started();
  }

  /** Of many bridges that begin at once, one starts the server and the others wait for it. */
  private URI started() throws InterruptedException {
    try {
      Files.createDirectories(directory);
      try (FileChannel channel =
              FileChannel.open(
                  directory.resolve(LOCK_FILE),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock _ = channel.lock()) {
        return await();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Seam("another process starts in this machine's time, whatever clock commands run on")
  private URI await() throws IOException, InterruptedException {
    long end = System.nanoTime() + config.start().toNanos();
    @Nullable Process process = null;
    Optional<URI> found = living();
    while (found.isEmpty()) {
      if (System.nanoTime() - end > 0) {
        throw AppException.noServer(directory.resolve(LOG_FILE));
      }
      if (process == null || !process.isAlive()) {
        process = start();
      }
      boolean _ = process.waitFor(LOOK_BOUND.toMillis(), TimeUnit.MILLISECONDS);
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
    } catch (SSLException e) {
      throw AppException.notTrusted(address, e); // it lives: to start another one is no use
    } catch (IOException _) {
      return false;
    }
  }

  private Process start() throws IOException {
    ProcessBuilder.Redirect log =
        ProcessBuilder.Redirect.appendTo(directory.resolve(LOG_FILE).toFile());
    ProcessBuilder builder =
        new ProcessBuilder(command())
            .directory(workbench.surroundings().directory().toFile())
            .redirectOutput(log)
            .redirectError(log);
    /* Not on the command line: ONNX Runtime 1.29 dies when that is longer than 4 KiB (docs/models.md). */
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return builder.start();
  }

  /** What a launcher keeps so that the JVM starts quickly; it fits the same class path only. */
  private static List<String> quickly() {
    String cache = System.getProperty("caliber.aot", "");
    return cache.isEmpty() ? List.of() : List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off");
  }

  private List<String> command() {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED"));
    command.addAll(quickly());
    command.addAll(
        List.of(
            Main.class.getName(),
            "serve",
            "--host", // an editor opens no door to others, whatever the settings say
            "127.0.0.1",
            "--port",
            "0",
            "--grpc-port=-1", // which one port of the settings could not be for every store
            "--no-tls", // its certificate names others than this machine's own address
            "--idle-exit",
            Durations.format(config.idle()),
            "--data",
            directory.toString()));
    workbench.namedConfig().ifPresent(file -> command.addAll(List.of("--config", file.toString())));
    return command;
  }
}
