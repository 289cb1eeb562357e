package dev.caliber.app;

import dev.caliber.agents.AgentsConfig;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.settings.Declaration;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.models.ModelsConfig;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The configuration of this process: a {@code caliber.toml}, or the starter version when there is
 * none.
 *
 * @param file where it was read; empty for the starter version
 * @param problems all that is wrong with it, in the order of the file
 * @param settings how many settings were read
 */
record AppConfig(
    Optional<Path> file, String hash, int settings, Rooms rooms, List<KernelException> problems) {

  static final String FILE_NAME = "caliber.toml";

  private static final String STARTER = "the starter version";
  private static final String JSON = ".json";
  private static final long SIZE_BOUND = 1 << 20;
  private static final String HEADING =
      """
      # Caliber's process: where records are kept, how they are found, and how contexts are composed.
      # Every setting is here and explained; a missing one is an error, never a silent default.
      # After a change, 'caliber config check' reports all that is wrong at once.

      """;

  /** The most records that an agent, a lease or a message changes when it moves. */
  private static final int CHANGES_OF_ONE = 4;

  /** Every room's part. */
  record Rooms(
      StoreConfig store,
      SearchConfig search,
      ModelsConfig models,
      MemoryConfig memory,
      AgentsConfig agents,
      RuntimeConfig runtime,
      ServerConfig server,
      CommandConfig command) {
    static Rooms from(Settings settings) {
      return new Rooms(
          StoreConfig.from(settings),
          SearchConfig.from(settings),
          ModelsConfig.from(settings),
          MemoryConfig.from(settings),
          AgentsConfig.from(settings),
          RuntimeConfig.from(settings),
          ServerConfig.from(settings),
          CommandConfig.from(settings));
    }

    /** Settings of one room that another has to bear. */
    List<KernelException> disagreements() {
      return Stream.of(
              fitting("memory.limits.page", memory.limits().page()),
              fitting("memory.retention.batch", memory.retention().batch()),
              fitting("agents.tending.page", agents.tending().page()),
              bearable("memory.retention.batch", memory.retention().batch()),
              bearable("agents.heartbeats.batch", agents.heartbeats().batch()),
              bearable("agents.mail.batch", agents.mail().batch()),
              bearable("agents.tending.batch", agents.tending().batch()))
          .flatMap(Optional::stream)
          .toList();
    }

    /** Whether one commit holds what such a batch changes. */
    private Optional<KernelException> bearable(String key, int found) {
      int most = store.writes().changesLimit() / CHANGES_OF_ONE;
      return found < most
          ? Optional.empty()
          : Optional.of(
              KernelException.invalidValue(
                  key,
                  "less than %d, a quarter of store.writes.changes-limit".formatted(most),
                  Integer.toString(found)));
    }

    private Optional<KernelException> fitting(String key, int found) {
      int most = store.reads().pageLimit();
      return found <= most
          ? Optional.empty()
          : Optional.of(
              KernelException.invalidValue(
                  key,
                  "at most store.reads.page-limit, which is %d".formatted(most),
                  Integer.toString(found)));
    }
  }

  AppConfig {
    problems = List.copyOf(problems);
  }

  /** A complete file: the starter texts of all rooms, one after the other. */
  static String starterText() {
    return Stream.of(
            StoreConfig.starterText(),
            SearchConfig.starterText(),
            ModelsConfig.starterText(),
            MemoryConfig.starterText(),
            RuntimeConfig.starterText(),
            AgentsConfig.starterText(),
            ServerConfig.starterText(),
            CommandConfig.starterText())
        .map(String::strip)
        .collect(Collectors.joining("\n\n", HEADING, "\n"));
  }

  /** The file that was named, else the nearest one from the directory upwards, else the starter. */
  static AppConfig find(Optional<Path> named, Path directory) {
    if (named.isPresent()) {
      return read(directory.resolve(named.get()).normalize());
    }
    for (Path place = directory; place != null; place = place.getParent()) {
      Path file = place.resolve(FILE_NAME);
      if (Files.isRegularFile(file)) {
        return read(file);
      }
    }
    return parse(Optional.empty(), starterText());
  }

  String sourceName() {
    return file.map(Path::toString).orElse(STARTER);
  }

  /** This, if nothing is wrong with it; else one error that holds all of them. */
  AppConfig verified() {
    if (problems.size() == 1) {
      throw problems.getFirst();
    }
    if (!problems.isEmpty()) {
      throw KernelException.multipleErrors(problems);
    }
    return this;
  }

  private static AppConfig read(Path file) {
    if (!Files.exists(file)) {
      throw AppException.fileNotFound(file);
    }
    if (!Files.isRegularFile(file)) {
      throw AppException.unreadable(file, "it is no file");
    }
    try {
      if (Files.size(file) > SIZE_BOUND) {
        throw AppException.unreadable(file, "it is too large to be a configuration");
      }
      return parse(Optional.of(file), Files.readString(file));
    } catch (java.nio.charset.CharacterCodingException _) {
      throw AppException.unreadable(file, "it is no UTF-8 text");
    } catch (IOException e) {
      throw AppException.of(e);
    }
  }

  private static AppConfig parse(Optional<Path> file, String text) {
    String name = file.map(Path::toString).orElse(STARTER);
    return read(
        file, name.endsWith(JSON) ? Settings.parseJson(name, text) : Settings.parse(name, text));
  }

  private static AppConfig read(Optional<Path> file, Settings settings) {
    Rooms rooms = Rooms.from(settings);
    List<KernelException> problems = settings.problems();
    return new AppConfig(
        file,
        settings.hash(),
        settings.declarations().size(),
        rooms,
        problems.isEmpty() ? rooms.disagreements() : problems);
  }

  /** What the rooms declare by reading. */
  static List<Declaration> declarations() {
    Settings settings = Settings.parse(STARTER, starterText());
    read(Optional.empty(), settings);
    return settings.declarations();
  }
}
