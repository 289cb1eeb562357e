package dev.caliber.bench;

import dev.caliber.kernel.Seam;
import dev.caliber.server.CaliberServer;
import dev.caliber.store.StoreConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A server in a process of its own, on a PostgreSQL that several of them share. */
final class ServerChild implements AutoCloseable {
  private final Process process;
  private final URI address;

  private ServerChild(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  static ServerChild start(StoreConfig.Postgres engine, Path directory) {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider",
            ServerChild.class.getName(),
            engine.url(),
            engine.schema(),
            directory.toString());
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    try {
      Process process = builder.start();
      BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
      String line = said.readLine();
      while (line != null && !line.startsWith("http")) {
        line = said.readLine();
      }
      if (line == null) {
        throw BenchException.preparing(
            "Starting a server", new IOException("it ended with " + process.exitValue()));
      }
      return new ServerChild(process, URI.create(line));
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
    StoreConfig.Postgres engine = Places.shared(arguments[0], arguments[1], Optional.empty());
    try (CaliberServer server =
        CaliberServer.start(ServerRig.setup(engine, Path.of(arguments[2])))) {
      System.out.println(server.address());
      System.out.flush();
      boolean _ = System.in.read() < 0;
    }
  }
}
