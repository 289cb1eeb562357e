package dev.caliber.kernel.settings;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.KernelException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * One settings file and the settings read from it. Every module reads its section; then {@link
 * #verify} reports all that is missing, wrong or unknown, in the order of the file, each with
 * file:line:column. Until then a reader whose setting is missing or wrong returns some value within
 * its bounds, so that reading continues. For one thread, at start-up.
 */
public final class Settings {
  private final SettingsSource settingsSource;
  private final String hash;
  private final SortedSet<String> keysRead = new TreeSet<>();
  private final Map<String, SettingDeclaration> declarations = new LinkedHashMap<>();
  private final List<SettingsProblem> incompatible = new ArrayList<>();
  private final Map<String, SettingsProblem> missing = new LinkedHashMap<>();
  private final Map<String, SettingsProblem> invalid = new LinkedHashMap<>();

  private Settings(SettingsSource settingsSource, String hash) {
    this.settingsSource = settingsSource;
    this.hash = hash;
  }

  /** Parses a file's text in TOML; even a syntax error is only reported by {@link #verify}. */
  public static Settings parse(String sourceName, String toml) {
    return new Settings(
        TomlSettingsReader.parse(sourceName, toml), FieldHash.hash("settings", toml));
  }

  /** Parses settings in the form of a JSON object, whose members are the sections and keys. */
  public static Settings parseJson(String sourceName, String json) {
    return new Settings(
        JsonSettingsReader.parse(sourceName, json), FieldHash.hash("settings", json));
  }

  /**
   * Returns the section of that dotted name. One that the file lacks is a section whose keys are
   * all missing.
   */
  public SettingsSection section(String name) {
    return new SettingsSection(this, name);
  }

  /** Returns the name of the file, as errors show it. */
  public String sourceName() {
    return settingsSource.name();
  }

  /** Returns the hash of the file's text. */
  public String hash() {
    return hash;
  }

  /** Returns the full names of all keys that were read, present or not. */
  public Set<String> keysRead() {
    return Collections.unmodifiableSet(new TreeSet<>(keysRead));
  }

  /** Returns the settings declared by reading, in the order of the first reading. */
  public List<SettingDeclaration> declarations() {
    return List.copyOf(declarations.values());
  }

  /**
   * Reports two settings that are each valid and cannot be combined, unless the condition holds. A
   * setting that is wrong in itself is reported for that only.
   */
  public void requireCompatible(boolean holds, String key, String otherKey, String reason) {
    var value = settingsSource.find(key);
    boolean known = value.isPresent() && settingsSource.find(otherKey).isPresent();
    if (!holds && known && !invalid.containsKey(key) && !invalid.containsKey(otherKey)) {
      FilePosition filePosition = value.get().position();
      String text = key + " and " + otherKey + ": " + reason;
      incompatible.add(
          new SettingsProblem(
              filePosition,
              KernelException.incompatibleOptions(settingsSource.locationOf(filePosition), text)));
    }
  }

  /** Throws the errors of the file: the only one, or MULTIPLE_ERRORS with all of them. */
  public void verify() {
    List<KernelException> problems = problems();
    if (problems.size() == 1) {
      throw problems.getFirst();
    }
    if (!problems.isEmpty()) {
      throw KernelException.multipleErrors(problems);
    }
  }

  /**
   * Returns all errors so far, in the order of the file. After a syntax error the parser may have
   * lost keys, so that missing and unknown ones are not reported beside it.
   */
  public List<KernelException> problems() {
    var all = new ArrayList<>(settingsSource.syntaxErrors());
    all.addAll(invalid.values());
    all.addAll(incompatible);
    if (settingsSource.syntaxErrors().isEmpty()) {
      all.addAll(missing.values());
      all.addAll(new UnknownKeyFinder(settingsSource, keysRead).find());
    }
    return all.stream()
        .sorted(Comparator.comparing(SettingsProblem::position))
        .map(SettingsProblem::error)
        .toList();
  }

  SettingsSource source() {
    return settingsSource;
  }

  void markRead(String path) {
    keysRead.add(path);
  }

  void declare(SettingDeclaration settingDeclaration) {
    declarations.putIfAbsent(settingDeclaration.key(), settingDeclaration);
  }

  /** Requires a table, which may be empty. */
  void requireTable(String path) {
    keysRead.add(path);
    if (!settingsSource.tables().containsKey(path)) {
      reportMissing(path);
    }
  }

  /**
   * Reports a key whose name the file's author has chosen in another notation than that of keys.
   */
  void reportName(String path) {
    keysRead.add(path);
    settingsSource
        .find(path)
        .ifPresent(found -> reportInvalid(path, found.position(), "kebab-case", path));
  }

  void reportMissing(String path) {
    FilePosition filePosition = settingsSource.enclosingTable(path);
    missing.put(
        path,
        new SettingsProblem(
            filePosition,
            KernelException.missingRequired(settingsSource.locationOf(filePosition), path)));
  }

  void report(String path, FilePosition filePosition, Function<String, KernelException> error) {
    invalid.putIfAbsent(
        path,
        new SettingsProblem(filePosition, error.apply(settingsSource.locationOf(filePosition))));
  }

  void reportInvalid(String path, FilePosition filePosition, String wanted, String found) {
    invalid.put(
        path,
        new SettingsProblem(
            filePosition,
            KernelException.invalidSetting(
                settingsSource.locationOf(filePosition), path, wanted, found)));
  }
}
