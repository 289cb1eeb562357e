package dev.caliber.app.serve;

import dev.caliber.app.shell.AppException;
import dev.caliber.app.shell.CaliberCommand;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.kernel.Durations;
import dev.caliber.kernel.PrivateFiles;
import dev.caliber.kernel.SystemAccess;
import dev.caliber.server.ServerAddressFile;
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
 * The server that holds an embedded store: a running one, or one that this starts. If two are
 * started at once, no harm is done: the store lets one in, and the other ends.
 */
final class LocalServer {
  private static final String LOG_FILE = "server.log";
  private static final String OLD_LOG_FILE = "server.log.old";
  private static final long LOG_BOUND = 1 << 20;
  private static final String SHELL = "/bin/sh";
  private static final String LOCK_FILE = "server.start.lock";
  private static final Duration LOOK_BOUND = Duration.ofMillis(50);

  private final CommandContext commandContext;
  private final HttpClient client;
  private final ServerConfig.McpSettings config;
  private final Path directory;

  LocalServer(CommandContext commandContext, HttpClient client) {
    this.commandContext = commandContext;
    this.client = client;
    this.config = commandContext.configs().server().mcp();
    this.directory = directory(commandContext.storeConfig());
  }

  private static Path directory(StoreConfig config) {
    if (config.engine() instanceof StoreConfig.SqliteSettings sqliteSettings) {
      return sqliteSettings.directory();
    }
    throw AppException.usage(
        "Only the server of an embedded store can be found by its directory",
        "Name the server with --url.");
  }

  /** Returns the server's address; waits for a server that has to start. */
  synchronized URI locate() throws InterruptedException {
    Optional<URI> found = liveAddress();
    return found.isPresent() ? found.get() : startOnce();
  }

  /** Starts the server once; other bridges that begin at the same time wait for it. */
  private URI startOnce() throws InterruptedException {
    try {
      PrivateFiles.createDirectories(directory);
      try (FileChannel channel =
              PrivateFiles.open(
                  directory.resolve(LOCK_FILE),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock _ = channel.lock()) {
        return awaitStart();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SystemAccess("another process starts in this machine's time, whatever clock commands run on")
  private URI awaitStart() throws IOException, InterruptedException {
    long end = System.nanoTime() + config.startTimeout().toNanos();
    @Nullable Process process = null;
    Optional<URI> found = liveAddress();
    while (found.isEmpty()) {
      if (System.nanoTime() - end > 0) {
        throw AppException.noServer(directory.resolve(LOG_FILE));
      }
      if (process == null || !process.isAlive()) {
        process = startProcess();
      }
      boolean _ = process.waitFor(LOOK_BOUND.toMillis(), TimeUnit.MILLISECONDS);
      found = liveAddress();
    }
    return found.get();
  }

  private Optional<URI> liveAddress() throws InterruptedException {
    try {
      Optional<URI> named = ServerAddressFile.findTrusted(directory);
      return named.isPresent() && isLive(named.get()) ? named : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Checks that the server of an address file still answers; the file may be out of date. */
  private boolean isLive(URI address) throws InterruptedException {
    try {
      HttpRequest look =
          HttpRequest.newBuilder(address.resolve("/health/live"))
              .timeout(config.startTimeout())
              .build();
      HttpResponse<Void> answer = client.send(look, BodyHandlers.discarding());
      return answer.statusCode() == HttpURLConnection.HTTP_OK;
    } catch (SSLException e) {
      throw AppException.certificateNotTrusted(
          address,
          e); // it runs, but Java does not trust it: starting another server would not help
    } catch (IOException _) {
      return false;
    }
  }

  private Process startProcess() throws IOException {
    Path file = directory.resolve(LOG_FILE);
    if (Files.exists(file) && Files.size(file) > LOG_BOUND) {
      Files.move(file, directory.resolve(OLD_LOG_FILE), StandardCopyOption.REPLACE_EXISTING);
    }
    PrivateFiles.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
    ProcessBuilder.Redirect log = ProcessBuilder.Redirect.appendTo(file.toFile());
    ProcessBuilder builder =
        new ProcessBuilder(startCommand())
            .directory(commandContext.environment().directory().toFile())
            .redirectOutput(log)
            .redirectError(log);
    /*
     * Not on the command line: ONNX Runtime 1.29 dies when that is longer than 4 KiB
     * (docs/models.md).
     */
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return builder.start();
  }

  /** Returns the options for the launcher's AOT cache, which fits the same class path only. */
  private static List<String> startupCacheOptions() {
    String cache = System.getProperty("caliber.aot", "");
    return cache.isEmpty() ? List.of() : List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off");
  }

  /**
   * Makes the server ignore Ctrl-C and the end of the terminal, which are meant for the client that
   * started it: other clients use the server, too, and a JVM leaves signals alone that were ignored
   * when it began.
   */
  private static List<String> ignoringTerminalSignals() {
    return Files.isExecutable(Path.of(SHELL))
        ? List.of(SHELL, "-c", "trap '' INT HUP; exec \"$@\"", "caliber")
        : List.of();
  }

  private List<String> startCommand() {
    List<String> command = new ArrayList<>(ignoringTerminalSignals());
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED"));
    command.addAll(startupCacheOptions());
    command.addAll(
        List.of(
            CaliberCommand.MAIN_CLASS,
            "serve",
            "--host", // a server that an editor starts listens only on this machine, whatever the
            // settings say
            "127.0.0.1",
            "--port",
            "0",
            "--grpc-port=-1", // a free port, because the one port of the settings could not serve
            // every store
            "--no-tls", // without TLS, whose certificate names other hosts than this machine's own
            // address
            "--idle-timeout",
            Durations.format(config.idleTimeout()),
            "--data",
            directory.toString()));
    commandContext
        .namedConfig()
        .ifPresent(file -> command.addAll(List.of("--config", file.toString())));
    return command;
  }
}
