package dev.caliber.bench;

import dev.caliber.kernel.settings.Settings;
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
 * Where the stores of one run lie: new directories on the disk that is measured, and new schemas on
 * a PostgreSQL server of one's own that keeps its data on the same disk. Everything is gone
 * afterwards. Settings are those of the starter file, since they are what users get.
 */
final class Places implements AutoCloseable {

  private final Path root;
  private int count;
  private @Nullable PostgresServer server;

  /** A run that is broken off must not leave a server behind. */
  private final Thread lastWill =
      Thread.ofPlatform().name("bench-clean-up").unstarted(this::cleanUp);

  private Places(Path root) {
    this.root = root;
  }

  /** A new directory inside this one, or inside the system's directory for temporary files. */
  static Places under(Optional<Path> parent) {
    try {
      Path root =
          parent.isPresent()
              ? Files.createTempDirectory(Files.createDirectories(parent.get()), "caliber-bench")
              : Files.createTempDirectory("caliber-bench");
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
      Places places = new Places(root);
      Runtime.getRuntime().addShutdownHook(places.lastWill);
      return places;
    } catch (IOException e) {
      throw BenchException.preparing("Making a directory for the bench", e);
    }
  }

  /** A new, empty directory. */
  Path directory(String name) {
    try {
      return Files.createDirectories(root.resolve(name + ++count));
    } catch (IOException e) {
      throw BenchException.preparing("Making a directory for the bench", e);
    }
  }

  Path root() {
    return root;
  }

  StoreConfig.EngineConfig fresh(EngineName engine) {
    return engine == EngineName.SQLITE ? sqlite(directory("store")) : postgres();
  }

  static StoreConfig.Sqlite sqlite(Path directory) {
    StoreConfig.Sqlite starter = (StoreConfig.Sqlite) StoreConfig.starter().engine();
    return new StoreConfig.Sqlite(
        directory,
        starter.cache(),
        starter.readerCache(),
        starter.checkpointPages(),
        starter.checkpointInterval());
  }

  private StoreConfig.Postgres postgres() {
    if (server == null) {
      server = PostgresServer.startIn(directory("postgres"));
    }
    return shared(server.url(), "bench" + ++count, Optional.empty());
  }

  /** PostgreSQL at this address, with the starter's other settings. */
  static StoreConfig.Postgres shared(String url, String schema, Optional<String> user) {
    String text = StoreConfig.starterText().replace("engine = \"sqlite\"", "engine = \"postgres\"");
    StoreConfig.Postgres starter =
        (StoreConfig.Postgres) StoreConfig.from(Settings.parse("the starter file", text)).engine();
    return new StoreConfig.Postgres(
        url,
        user,
        Optional.empty(),
        schema,
        starter.writers(),
        starter.connectTimeout(),
        starter.answerTimeout(),
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
      throw BenchException.preparing("Removing the bench's directory", e);
    }
  }
}
