package dev.caliber.app;

import dev.caliber.kernel.Durations;
import dev.caliber.kernel.PrivateFiles;
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
import java.nio.file.StandardCopyOption;
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
  private static final String OLD_LOG_FILE = "server.log.old";
  private static final long LOG_BOUND = 1 << 20;
  private static final String SHELL = "/bin/sh";
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
      PrivateFiles.createDirectories(directory);
      try (FileChannel channel =
              PrivateFiles.open(
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
    Path file = directory.resolve(LOG_FILE);
    if (Files.exists(file) && Files.size(file) > LOG_BOUND) {
      Files.move(file, directory.resolve(OLD_LOG_FILE), StandardCopyOption.REPLACE_EXISTING);
    }
    PrivateFiles.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
    ProcessBuilder.Redirect log = ProcessBuilder.Redirect.appendTo(file.toFile());
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

  /**
   * Ctrl-C and the end of a terminal are for the client that started it, not for the server that
   * others use, too: a JVM leaves signals alone that were ignored when it began.
   */
  private static List<String> besideTheTerminal() {
    return Files.isExecutable(Path.of(SHELL))
        ? List.of(SHELL, "-c", "trap '' INT HUP; exec \"$@\"", "caliber")
        : List.of();
  }

  private List<String> command() {
    List<String> command = new ArrayList<>(besideTheTerminal());
    command.addAll(
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
