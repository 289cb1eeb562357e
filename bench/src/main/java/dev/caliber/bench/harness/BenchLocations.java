package dev.caliber.bench.harness;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Locations of the stores of one run: new directories on the measured disk, and new schemas on a
 * private PostgreSQL server whose data is on the same disk. All are removed afterwards. Settings
 * are those of the starter file, which users get.
 */
public final class BenchLocations implements AutoCloseable {

  private final Path root;
  private int count;
  private @Nullable PostgresServer server;

  /** Stops the server when a run is interrupted. */
  private final Thread lastWill =
      Thread.ofPlatform().name("bench-clean-up").unstarted(this::cleanUp);

  private BenchLocations(Path root) {
    this.root = root;
  }

  /** Creates a new directory inside this one, or inside the system's temporary directory. */
  public static BenchLocations createIn(Optional<Path> parent) {
    try {
      Path root =
          parent.isPresent()
              ? Files.createTempDirectory(Files.createDirectories(parent.get()), "caliber-bench")
              : Files.createTempDirectory("caliber-bench");
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
      BenchLocations benchLocations = new BenchLocations(root);
      Runtime.getRuntime().addShutdownHook(benchLocations.lastWill);
      return benchLocations;
    } catch (IOException e) {
      throw BenchException.preparationFailed("Making a directory for the bench", e);
    }
  }

  /** Creates a new, empty directory. */
  public Path directory(String name) {
    try {
      return Files.createDirectories(root.resolve(name + ++count));
    } catch (IOException e) {
      throw BenchException.preparationFailed("Making a directory for the bench", e);
    }
  }

  public Path root() {
    return root;
  }

  public StoreConfig.EngineSettings newEngine(BenchEngine engine) {
    return engine == BenchEngine.SQLITE ? sqliteIn(directory("store")) : newPostgres();
  }

  public static StoreConfig.SqliteSettings sqliteIn(Path directory) {
    return ((StoreConfig.SqliteSettings) StoreConfig.starter().engine()).withDirectory(directory);
  }

  private StoreConfig.PostgresSettings newPostgres() {
    if (server == null) {
      server = PostgresServer.startIn(directory("postgres"));
    }
    return sharedPostgres(server.url(), "bench" + ++count, Optional.empty());
  }

  /** Returns settings for PostgreSQL at this address, with the starter's other settings. */
  public static StoreConfig.PostgresSettings sharedPostgres(
      String url, String schema, Optional<String> user) {
    StoreConfig.PostgresSettings starter =
        (StoreConfig.PostgresSettings)
            StoreConfig.starter().with("store.engine = 'postgres'").engine();
    return new StoreConfig.PostgresSettings(
        url,
        user,
        Optional.empty(),
        schema,
        starter.writeConnections(),
        starter.connectTimeout(),
        starter.statementTimeout(),
        starter.notifyInterval());
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(lastWill);
    cleanUp();
  }

  private void cleanUp() {
    if (server != null) {
      server.close();
    }
    try (Stream<Path> paths = Files.walk(root)) {
      List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw BenchException.preparationFailed("Removing the bench's directory", e);
    }
  }
}
