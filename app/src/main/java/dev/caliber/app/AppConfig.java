package dev.caliber.app;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The configuration of this process: a {@code caliber.toml}, or the starter version when there is
 * none.
 *
 * @param file where it was read; empty for the starter version
 * @param problems all that is wrong with it, in the order of the file
 * @param settings how many settings were read
 */
record AppConfig(
    Optional<Path> file,
    String hash,
    int settings,
    StoreConfig store,
    SearchConfig search,
    List<KernelException> problems) {

  static final String FILE_NAME = "caliber.toml";

  private static final String STARTER = "the starter version";
  private static final long SIZE_BOUND = 1 << 20;
  private static final String HEADING =
      """
      # Caliber's process: where records are kept, the limits of reading and writing them, and search.
      # Every setting is here and explained; a missing one is an error, never a silent default.
      # After a change, 'caliber config check' reports all that is wrong at once.

      """;

  AppConfig {
    problems = List.copyOf(problems);
  }

  /** A complete file: the starter texts of all rooms, one after the other. */
  static String starterText() {
    return HEADING + StoreConfig.starterText() + "\n" + SearchConfig.starterText();
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
    Settings settings = Settings.parse(file.map(Path::toString).orElse(STARTER), text);
    StoreConfig store = StoreConfig.from(settings);
    SearchConfig search = SearchConfig.from(settings);
    return new AppConfig(
        file, settings.hash(), settings.keysRead().size(), store, search, settings.problems());
  }
}
