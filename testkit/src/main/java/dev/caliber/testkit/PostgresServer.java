package dev.caliber.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Private PostgreSQL server on a free port of this machine that can be stopped, crashed and started
 * again. Binaries come from {@code CALIBER_TEST_POSTGRES_BIN} or the usual directories. For root
 * the server runs as another user, because it refuses root.
 */
public final class PostgresServer implements AutoCloseable {

  /** Mode of stopping a server. */
  public enum ShutdownMode {
    /** Finishes running work. */
    FAST,
    /** Drops everything, as a crash would; the next start recovers. */
    IMMEDIATE
  }

  private static final String USER = "caliber";
  private static final int LOG_END_BOUND = 2000;

  private final Path binaries;
  private final Path parent;
  private final Path directory;
  private final int port;
  private boolean running;
  private long process;

  private PostgresServer(Path binaries, Path parent, int port) {
    this.binaries = binaries;
    this.parent = parent;
    this.directory = parent.resolve("data");
    this.port = port;
  }

  /** Creates a cluster in a new temporary directory and starts it. */
  public static PostgresServer start() {
    try {
      return startIn(Files.createTempDirectory("caliber-postgres"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates a cluster under this directory, which must be empty, and starts it. */
  public static PostgresServer startIn(Path parent) {
    try {
      Path binaries = findBinaries();
      Path directory = Files.createDirectories(parent.resolve("data"));
      PostgresServer server = new PostgresServer(binaries, parent, freePort());
      if (isRoot()) {
        SystemCommand.run(List.of("chown", "-R", serverUser(), parent.toString()));
      }
      server.runAsServer(
          List.of(
              binaries.resolve("initdb").toString(),
              "--pgdata=" + directory,
              "--username=" + USER,
              "--auth=trust",
              "--encoding=UTF8",
              "--locale=C"));
      Files.writeString(
          directory.resolve("postgresql.conf"),
          """
          listen_addresses = '127.0.0.1'
          port = %d
          unix_socket_directories = ''
          max_connections = 200
          shared_buffers = 256MB
          max_wal_size = 4GB
          """
              .formatted(server.port),
          StandardOpenOption.APPEND,
          // The server flushes its own files, and must find this one too after a power cut.
          StandardOpenOption.SYNC);
      server.bringUp();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the address of the server's first database; the user has all rights. */
  public String url() {
    return "jdbc:postgresql://127.0.0.1:%d/postgres?user=%s".formatted(port, USER);
  }

  public int port() {
    return port;
  }

  public void bringUp() {
    Path log = directory.resolve("server.log");
    try {
      runPgCtl("start", "-l", log.toString());
    } catch (IllegalStateException e) {
      throw new IllegalStateException("The server does not start: " + lastLinesOf(log), e);
    }
    running = true;
    process = processIdOf(directory);
  }

  private static String lastLinesOf(Path log) {
    try {
      String text = Files.readString(log, StandardCharsets.UTF_8);
      return text.substring(Math.max(0, text.length() - LOG_END_BOUND));
    } catch (IOException e) {
      return "its log cannot be read: " + e.getMessage();
    }
  }

  /** Returns the first line of the server's pid file. */
  private static long processIdOf(Path directory) {
    try {
      return Long.parseLong(
          Files.readAllLines(directory.resolve("postmaster.pid"), StandardCharsets.UTF_8)
              .getFirst()
              .strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void shutDown(ShutdownMode how) {
    runPgCtl("stop", "-m", how == ShutdownMode.FAST ? "fast" : "immediate");
    running = false;
  }

  /**
   * Sends SIGKILL to the server and all of its processes, as if the machine died. Works even when
   * its disk no longer does.
   */
  public void kill() {
    ProcessHandle.of(process)
        .ifPresent(
            server -> {
              List<ProcessHandle> all =
                  Stream.concat(Stream.of(server), server.descendants()).toList();
              all.forEach(ProcessHandle::destroyForcibly);
              all.forEach(one -> one.onExit().join());
            });
    running = false;
  }

  @Override
  public void close() {
    if (running) {
      kill();
    }
    deleteTree(parent);
  }

  private void runPgCtl(String action, String... options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                binaries.resolve("pg_ctl").toString(), "-D", directory.toString(), "-w", action));
    command.addAll(List.of(options));
    runAsServer(command);
  }

  private void runAsServer(List<String> command) {
    if (!isRoot()) {
      SystemCommand.run(command);
      return;
    }
    List<String> wrapped = new ArrayList<>(List.of("runuser", "-u", serverUser(), "--"));
    wrapped.addAll(command);
    SystemCommand.run(wrapped);
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /**
   * Returns the user to run the server as: Debian's package creates the first, the second exists
   * everywhere.
   */
  private static String serverUser() throws UncheckedIOException {
    try {
      boolean known =
          Files.readAllLines(Path.of("/etc/passwd"), StandardCharsets.UTF_8).stream()
              .anyMatch(line -> line.startsWith("postgres:"));
      return known ? "postgres" : "daemon";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path findBinaries() throws IOException {
    String named = System.getenv("CALIBER_TEST_POSTGRES_BIN");
    if (named != null) {
      return Path.of(named);
    }
    Path versions = Path.of("/usr/lib/postgresql");
    if (Files.isDirectory(versions)) {
      try (Stream<Path> found = Files.list(versions)) {
        Optional<Path> newest =
            found
                .map(version -> version.resolve("bin"))
                .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                .max(Comparator.naturalOrder());
        if (newest.isPresent()) {
          return newest.get();
        }
      }
    }
    throw new IllegalStateException(
        "No PostgreSQL binaries found: run ./verify, which installs them, or set"
            + " CALIBER_TEST_POSTGRES_BIN");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void deleteTree(Path root) {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
