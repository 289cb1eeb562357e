package dev.caliber.app;

import dev.caliber.agents.AgentsConfig;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.settings.SettingDeclaration;
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
 * Configuration of this process: a {@code caliber.toml}, or the starter version if there is none.
 *
 * @param file the file that was read; empty for the starter version
 * @param problems every error in it, in the order of the file
 * @param settingCount the number of settings that were read
 */
record AppConfig(
    Optional<Path> file,
    String hash,
    int settingCount,
    ModuleConfigs configs,
    List<KernelException> problems) {

  static final String FILE_NAME = "caliber.toml";

  private static final String STARTER = "the starter version";
  private static final String JSON = ".json";
  private static final long SIZE_BOUND = 1 << 20;
  private static final String HEADING =
      """
      # Configuration of Caliber: storage, search, context windows, agents and the server.
      # Every setting is here and explained; a missing one is an error, never a silent default.
      # After a change, 'caliber config check' reports all errors at once.

      """;

  /** Upper bound of the records that one change of an agent, lease or message writes. */
  private static final int CHANGES_OF_ONE = 4;

  /** Settings of each module. */
  record ModuleConfigs(
      StoreConfig store,
      SearchConfig search,
      ModelsConfig models,
      MemoryConfig memory,
      AgentsConfig agents,
      RuntimeConfig runtime,
      ServerConfig server,
      CommandConfig command) {
    static ModuleConfigs from(Settings settings) {
      return new ModuleConfigs(
          StoreConfig.from(settings),
          SearchConfig.from(settings),
          ModelsConfig.from(settings),
          MemoryConfig.from(settings),
          AgentsConfig.from(settings),
          RuntimeConfig.from(settings),
          ServerConfig.from(settings),
          CommandConfig.from(settings));
    }

    /** Returns errors in settings of one module that conflict with settings of another. */
    List<KernelException> conflictsBetweenModules() {
      return Stream.of(
              checkPageFits("memory.limits.page-size", memory.limits().pageSize()),
              checkPageFits("memory.retention.batch", memory.retention().batch()),
              checkPageFits("agents.maintenance.page-size", agents.maintenance().pageSize()),
              checkCommitFits("memory.retention.batch", memory.retention().batch()),
              checkCommitFits("agents.heartbeats.batch", agents.heartbeats().batch()),
              checkCommitFits("agents.messages.batch", agents.messages().batch()),
              checkCommitFits("agents.maintenance.batch", agents.maintenance().batch()))
          .flatMap(Optional::stream)
          .toList();
    }

    /** Returns an error if one commit cannot hold the changes of a batch of {@code found}. */
    private Optional<KernelException> checkCommitFits(String key, int found) {
      int most = store.writes().changesLimit() / CHANGES_OF_ONE;
      return found < most
          ? Optional.empty()
          : Optional.of(
              KernelException.invalidValue(
                  key,
                  "less than %d, a quarter of store.writes.changes-limit".formatted(most),
                  Integer.toString(found)));
    }

    private Optional<KernelException> checkPageFits(String key, int found) {
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

  /** Returns a complete configuration file: the starter texts of all modules. */
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

  /** Returns the named file, else the nearest one from the directory upwards, else the starter. */
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

  /** Returns this configuration if it has no errors. */
  AppConfig requireValid() {
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
      throw AppException.unreadable(file, "it is not a file");
    }
    try {
      if (Files.size(file) > SIZE_BOUND) {
        throw AppException.unreadable(file, "it is too large for a configuration file");
      }
      return parse(Optional.of(file), Files.readString(file));
    } catch (java.nio.charset.CharacterCodingException _) {
      throw AppException.unreadable(file, "it is not UTF-8 text");
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
    ModuleConfigs moduleConfigs = ModuleConfigs.from(settings);
    List<KernelException> problems = settings.problems();
    return new AppConfig(
        file,
        settings.hash(),
        settings.declarations().size(),
        moduleConfigs,
        problems.isEmpty() ? moduleConfigs.conflictsBetweenModules() : problems);
  }

  /** Returns the declarations of all settings, collected by reading the starter text. */
  static List<SettingDeclaration> declarations() {
    Settings settings = Settings.parse(STARTER, starterText());
    read(Optional.empty(), settings);
    return settings.declarations();
  }
}
