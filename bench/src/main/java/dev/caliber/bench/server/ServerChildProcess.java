package dev.caliber.bench.server;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.kernel.SystemAccess;
import dev.caliber.models.ModelsConfig;
import dev.caliber.server.CaliberServer;
import dev.caliber.server.ServerSetup;
import dev.caliber.store.StoreConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a process of its own: on a PostgreSQL that several share, or on a new store. */
final class ServerChildProcess implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("http://[^ ]+:\\d+");

  private final Process process;
  private final URI address;

  private ServerChildProcess(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  /** Starts a server on a PostgreSQL; vectors come from hashes. */
  static ServerChildProcess startOnPostgres(StoreConfig.PostgresSettings engine, Path directory) {
    return start(List.of(directory.toString(), engine.url(), engine.schema()));
  }

  /** Starts a server on a store of its own, with the model of the settings. */
  static ServerChildProcess startAlone(Path directory) {
    return start(List.of(directory.toString()));
  }

  /**
   * Starts {@code caliber serve} on a store of its own, with the launcher that people use.
   *
   * @param options for its JVM
   */
  static ServerChildProcess startWithLauncher(String launcher, Path directory, String options) {
    ProcessBuilder builder =
        new ProcessBuilder(
            launcher, "serve", "--port", "0", "--data", directory.resolve("data").toString());
    builder.environment().put("CALIBER_NO_BUILD", "1");
    builder.environment().put("CALIBER_JAVA_OPTIONS", options);
    return start(builder.directory(directory.toFile()));
  }

  private static ServerChildProcess start(List<String> arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider",
                ServerChildProcess.class.getName()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return start(builder);
  }

  /** Returns when the process has printed its address. */
  private static ServerChildProcess start(ProcessBuilder builder) {
    try {
      Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
      BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        Matcher address = ADDRESS.matcher(line);
        if (address.find()) {
          return new ServerChildProcess(process, URI.create(address.group()));
        }
      }
      throw BenchException.preparationFailed(
          "Starting a server", new IOException("it ended with " + process.onExit().join()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  URI address() {
    return address;
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }

  /** Serves until the parent ends it or has ended itself. */
  @SystemAccess("main is where a process begins and ends, with its streams")
  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    Path directory = Path.of(arguments[0]);
    ServerSetup serverSetup =
        arguments.length == 1
            ? BenchServer.setup(
                BenchLocations.sqliteIn(directory), directory, ModelsConfig.starter())
            : BenchServer.setup(
                BenchLocations.sharedPostgres(arguments[1], arguments[2], Optional.empty()),
                directory,
                BenchServer.HASHES);
    try (CaliberServer server = CaliberServer.start(serverSetup)) {
      System.out.println(server.address());
      System.out.flush();
      boolean _ = System.in.read() < 0;
    }
  }
}
