package dev.caliber.app.shell;

import dev.caliber.agents.AgentsConfig;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.settings.CheckedSettings;
import dev.caliber.kernel.settings.SettingDeclaration;
import dev.caliber.kernel.settings.SettingKey;
import dev.caliber.kernel.settings.SettingOrigin;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.SettingsLayer;
import dev.caliber.kernel.settings.StarterSettings;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.models.ModelsConfig;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Configuration of this process: the starter version, a {@code caliber.toml} over it if there is
 * one, and the environment over both.
 *
 * @param file the file that was read; empty without one
 * @param settings the layers, after every module has read its part
 * @param problems every error in them, in the order of the file
 */
public record AppConfig(
    Optional<Path> file, Settings settings, ModuleConfigs configs, List<KernelException> problems) {

  public static final String FILE_NAME = "caliber.toml";

  private static final String JSON = ".json";
  private static final long SIZE_BOUND = 1 << 20;
  private static final String HEADING =
      """
      # Configuration of Caliber: storage, search, context windows, agents and the server.
      # Every setting is here and explained. A line that you remove has the value of the starter version
      # again; 'caliber config show' says where each value comes from.
      # After a change, 'caliber config check' reports all errors at once.

      """;

  /** Upper bound of the records that one change of an agent, lease or message writes. */
  private static final int CHANGES_OF_ONE = 4;

  /** Settings of each module. */
  public record ModuleConfigs(
      StoreConfig store,
      SearchConfig search,
      ModelsConfig models,
      MemoryConfig memory,
      @SettingKey("") RuntimeConfig runtime,
      AgentsConfig agents,
      ServerConfig server,
      CommandConfig command)
      implements CheckedSettings {

    /** Reports settings of one module that conflict with settings of another. */
    @Override
    public void check(Settings settings) {
      checkPageFits(settings, "memory.limits.page-size", memory.limits().pageSize());
      checkPageFits(settings, "memory.retention.batch", memory.retention().batch());
      checkPageFits(settings, "agents.maintenance.page-size", agents.maintenance().pageSize());
      checkCommitFits(settings, "memory.retention.batch", memory.retention().batch());
      checkCommitFits(settings, "agents.heartbeats.batch", agents.heartbeats().batch());
      checkCommitFits(settings, "agents.messages.batch", agents.messages().batch());
      checkCommitFits(settings, "agents.maintenance.batch", agents.maintenance().batch());
    }

    /** Reports a batch of {@code found} whose changes one commit cannot hold. */
    private void checkCommitFits(Settings settings, String key, int found) {
      int most = store.writes().changesLimit() / CHANGES_OF_ONE;
      settings.requireCompatible(
          found < most,
          key,
          "store.writes.changes-limit",
          "expected less than %d, a quarter of the limit, found %d".formatted(most, found));
    }

    private void checkPageFits(Settings settings, String key, int found) {
      int most = store.reads().pageLimit();
      settings.requireCompatible(
          found <= most,
          key,
          "store.reads.page-limit",
          "expected at most the limit of %d, found %d".formatted(most, found));
    }
  }

  public AppConfig {
    problems = List.copyOf(problems);
  }

  /** Returns a complete configuration file: the starter texts of all modules. */
  public static String starterText() {
    return Arrays.stream(ModuleConfigs.class.getRecordComponents())
        .map(module -> StarterSettings.text(module.getType()).strip())
        .collect(Collectors.joining("\n\n", HEADING, "\n"));
  }

  /** Returns the named file, else the nearest one from the directory upwards, else the starter. */
  static AppConfig find(Optional<Path> named, Path directory, Map<String, String> environment) {
    Settings settings = Settings.ofStarter(starterText());
    Optional<Path> file =
        named.map(path -> directory.resolve(path).normalize()).or(() -> nearestFile(directory));
    file.ifPresent(found -> addFile(settings, found));
    settings.withEnvironment(environment);
    ModuleConfigs moduleConfigs = settings.read("", ModuleConfigs.class);
    return new AppConfig(file, settings, moduleConfigs, settings.problems());
  }

  private static Optional<Path> nearestFile(Path directory) {
    for (Path place = directory; place != null; place = place.getParent()) {
      Path file = place.resolve(FILE_NAME);
      if (Files.isRegularFile(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  /** Returns the name of the file, or of the starter version if there is none. */
  public String sourceName() {
    return file.map(Path::toString).orElseGet(() -> layer().name());
  }

  /** Returns the hash of the file, or of the starter version if there is none. */
  public String hash() {
    return layer().hash();
  }

  private SettingsLayer layer() {
    return settings.layers().get(file.isPresent() ? 1 : 0);
  }

  /** Returns the value of each setting and the layer that it comes from. */
  public List<SettingOrigin> origins() {
    return settings.origins();
  }

  /** Returns this configuration if it has no errors. */
  public AppConfig requireValid() {
    Settings.throwAny(problems);
    return this;
  }

  private static void addFile(Settings settings, Path file) {
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
      String name = file.toString();
      String text = Files.readString(file);
      if (name.endsWith(JSON)) {
        settings.withJsonFile(name, text);
      } else {
        settings.withFile(name, text);
      }
    } catch (java.nio.charset.CharacterCodingException _) {
      throw AppException.unreadable(file, "it is not UTF-8 text");
    } catch (IOException e) {
      throw AppException.of(e);
    }
  }

  /** Returns the declarations of all settings. */
  public static List<SettingDeclaration> declarations() {
    Settings settings = Settings.ofStarter(starterText());
    settings.read("", ModuleConfigs.class);
    return settings.declarations();
  }
}
