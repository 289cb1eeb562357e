package dev.caliber.bench;

import dev.caliber.kernel.Seam;
import dev.caliber.models.ModelsConfig;
import dev.caliber.server.CaliberServer;
import dev.caliber.server.Setup;
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
final class ServerChild implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("http://[^ ]+:\\d+");

  private final Process process;
  private final URI address;

  private ServerChild(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  /** On a PostgreSQL; vectors come from hashes. */
  static ServerChild sharing(StoreConfig.Postgres engine, Path directory) {
    return start(List.of(directory.toString(), engine.url(), engine.schema()));
  }

  /** On a store of its own, with the model that settings name. */
  static ServerChild alone(Path directory) {
    return start(List.of(directory.toString()));
  }

  /**
   * {@code caliber serve} on a store of its own, by the launcher that people use.
   *
   * @param options for its JVM
   */
  static ServerChild launched(String launcher, Path directory, String options) {
    ProcessBuilder builder =
        new ProcessBuilder(
            launcher, "serve", "--port", "0", "--data", directory.resolve("data").toString());
    builder.environment().put("CALIBER_NO_BUILD", "1");
    builder.environment().put("CALIBER_JAVA_OPTIONS", options);
    return start(builder.directory(directory.toFile()));
  }

  private static ServerChild start(List<String> arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider",
                ServerChild.class.getName()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return start(builder);
  }

  /** Returns when it has said where it listens. */
  private static ServerChild start(ProcessBuilder builder) {
    try {
      Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
      BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        Matcher address = ADDRESS.matcher(line);
        if (address.find()) {
          return new ServerChild(process, URI.create(address.group()));
        }
      }
      throw BenchException.preparing(
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

  /** Serves until the parent ends it or is gone. */
  @Seam("main is where a process begins and ends, and where its streams enter")
  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    Path directory = Path.of(arguments[0]);
    Setup setup =
        arguments.length == 1
            ? ServerRig.setup(Places.sqlite(directory), directory, ModelsConfig.starter())
            : ServerRig.setup(
                Places.shared(arguments[1], arguments[2], Optional.empty()),
                directory,
                ServerRig.HASHES);
    try (CaliberServer server = CaliberServer.start(setup)) {
      System.out.println(server.address());
      System.out.flush();
      boolean _ = System.in.read() < 0;
    }
  }
}
