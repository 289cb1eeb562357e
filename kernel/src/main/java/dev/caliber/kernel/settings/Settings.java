package dev.caliber.kernel.settings;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.KernelException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings in layers: the starter version, a file over it, and environment variables over both.
 * Every module reads its records with {@link #read}; then {@link #verify} reports all that is wrong
 * or unknown, in the order of the file, each with file:line:column or the name of its variable. A
 * setting that is refused has the value of the layer below until then, so that reading continues.
 * For one thread, at start-up.
 */
public final class Settings {
  private static final String STARTER = "the starter version";

  private final String starterText;
  private final List<SettingsSource> overrides = new ArrayList<>();
  private final List<SettingsLayer> layers = new ArrayList<>();
  private @Nullable SettingsSource starter;
  private final Map<String, SettingDeclaration> declarations = new LinkedHashMap<>();
  private final List<SettingsProblem> incompatible = new ArrayList<>();
  private final Map<String, SettingsProblem> invalid = new HashMap<>();

  private Settings(String starterText) {
    this.starterText = starterText;
    layers.add(new SettingsLayer(STARTER, hash(starterText)));
  }

  /** Returns the settings of a starter version, which has a valid value for every key. */
  public static Settings ofStarter(String toml) {
    return new Settings(toml);
  }

  /** Adds a file in TOML; even a syntax error is only reported by {@link #verify}. */
  public Settings withFile(String name, String toml) {
    return with(TomlSettingsReader.parse(SettingsSource.Kind.FILE, name, toml), name, toml);
  }

  /** Adds a file in the form of a JSON object, whose members are the sections and keys. */
  public Settings withJsonFile(String name, String json) {
    return with(JsonSettingsReader.parse(name, json), name, json);
  }

  /** Adds the variables whose names begin with {@code CALIBER__}. */
  public Settings withEnvironment(Map<String, String> environment) {
    SortedMap<String, String> variables = EnvironmentSettings.select(environment);
    return variables.isEmpty()
        ? this
        : with(
            EnvironmentSettings.parse(variables), EnvironmentSettings.NAME, variables.toString());
  }

  private Settings with(SettingsSource source, String name, String text) {
    overrides.addFirst(source);
    layers.add(new SettingsLayer(name, hash(text)));
    return this;
  }

  private static String hash(String text) {
    return FieldHash.hash("settings", text);
  }

  /** Reads the record of a table from its components; the empty name is the whole file. */
  public <T extends Record> T read(String table, Class<T> type) {
    return new SettingsBinder(this).bind(table, type);
  }

  /** Returns the layers, the starter version first. */
  public List<SettingsLayer> layers() {
    return List.copyOf(layers);
  }

  /** Returns the settings declared by the records that were read, in the order of reading. */
  public List<SettingDeclaration> declarations() {
    return List.copyOf(declarations.values());
  }

  /** Returns the value of each setting and the layer that it comes from. */
  public List<SettingOrigin> origins() {
    var origins = new ArrayList<SettingOrigin>();
    for (String key : declarations.keySet()) {
      if (isTable(key)) {
        keysIn(key).forEach(entry -> origins.add(origin(key + "." + entry)));
      } else {
        origins.add(origin(key));
      }
    }
    return origins;
  }

  private SettingOrigin origin(String key) {
    SettingsSource source = sourceOf(key);
    return SettingOrigin.of(key, source, source.find(key).orElseThrow());
  }

  /** Returns the highest layer with a value of the key. */
  SettingsSource sourceOf(String key) {
    return overrides.stream()
        .filter(source -> source.values().containsKey(key))
        .findFirst()
        .orElseGet(this::starter);
  }

  /** Reports a setting that is valid by its bounds and refused nevertheless, unless it holds. */
  public void require(boolean holds, String key, String wanted, String found) {
    if (!holds && !invalid.containsKey(key)) {
      report(
          sourceOf(key), key, where -> KernelException.invalidSetting(where, key, wanted, found));
    }
  }

  /**
   * Reports two settings that are each valid and cannot be combined, unless the condition holds. A
   * setting that is wrong in itself is reported for that only.
   */
  public void requireCompatible(boolean holds, String key, String otherKey, String reason) {
    if (!holds && !invalid.containsKey(key) && !invalid.containsKey(otherKey)) {
      boolean overridden = sourceOf(key).kind() != SettingsSource.Kind.STARTER;
      String shown = overridden ? key : otherKey;
      SettingsSource source = sourceOf(shown);
      FilePosition position = source.find(shown).orElseThrow().position();
      incompatible.add(
          new SettingsProblem(
              position,
              KernelException.incompatibleOptions(
                  source.locationOf(shown, position), key + " and " + otherKey + ": " + reason)));
    }
  }

  /** Throws the errors of the layers: the only one, or MULTIPLE_ERRORS with all of them. */
  public void verify() {
    throwAny(problems());
  }

  /** Throws the only one of the errors, or MULTIPLE_ERRORS with all of them. */
  public static void throwAny(List<KernelException> problems) {
    if (problems.size() == 1) {
      throw problems.getFirst();
    }
    if (!problems.isEmpty()) {
      throw KernelException.multipleErrors(problems);
    }
  }

  /**
   * Returns all errors so far, in the order of the file. After a syntax error the parser may have
   * lost keys, so that unknown ones are not reported beside it.
   */
  public List<KernelException> problems() {
    var all = new ArrayList<>(incompatible);
    all.addAll(invalid.values());
    for (SettingsSource source : parsedSources()) {
      all.addAll(
          source.syntaxErrors().isEmpty()
              ? new UnknownKeyFinder(source, knownKeys(source)).find()
              : source.syntaxErrors());
    }
    return inOrder(all);
  }

  /** Returns an error for each setting that the file does not set. */
  public List<KernelException> missingInFile() {
    var missing = new ArrayList<SettingsProblem>();
    for (SettingsSource file : overrides) {
      if (file.kind() == SettingsSource.Kind.FILE && file.syntaxErrors().isEmpty()) {
        for (String key : declarations.keySet()) {
          if (!file.values().containsKey(key) && !file.tables().containsKey(key)) {
            FilePosition position = file.enclosingTable(key);
            missing.add(
                new SettingsProblem(
                    position,
                    KernelException.missingRequired(file.locationOf(key, position), key)));
          }
        }
      }
    }
    return inOrder(missing);
  }

  private static List<KernelException> inOrder(List<SettingsProblem> problems) {
    return problems.stream()
        .sorted(Comparator.comparing(SettingsProblem::position))
        .map(SettingsProblem::error)
        .toList();
  }

  /** Returns the layers from the highest; the starter version only if it was needed. */
  private List<SettingsSource> parsedSources() {
    var sources = new ArrayList<>(overrides);
    Optional.ofNullable(starter).ifPresent(sources::add);
    return sources;
  }

  private Set<String> knownKeys(SettingsSource source) {
    var known = new TreeSet<>(declarations.keySet());
    for (String key : declarations.keySet()) {
      if (isTable(key)) {
        source.keysIn(key).forEach(entry -> known.add(key + "." + entry));
      }
    }
    return known;
  }

  /** Returns the starter version; it is parsed only when a file does not set every key. */
  SettingsSource starter() {
    SettingsSource parsed = starter;
    if (parsed == null) {
      parsed = TomlSettingsReader.parse(SettingsSource.Kind.STARTER, STARTER, starterText);
      starter = parsed;
    }
    return parsed;
  }

  /** Returns the layers that override the starter version, from the highest. */
  List<SettingsSource> overrides() {
    return overrides;
  }

  /**
   * Returns the keys that the author of a layer has chosen in a table, in their order; those of the
   * starter version only if no file has the table.
   */
  SortedSet<String> keysIn(String table) {
    var keys = new TreeSet<String>();
    overrides.forEach(source -> keys.addAll(source.keysIn(table)));
    if (overrides.stream().noneMatch(source -> source.tables().containsKey(table))) {
      keys.addAll(starter().keysIn(table));
    }
    return keys;
  }

  private boolean isTable(String key) {
    SettingDeclaration declared = declarations.get(key);
    return declared != null && declared.isTable();
  }

  void declare(SettingDeclaration settingDeclaration) {
    declarations.putIfAbsent(settingDeclaration.key(), settingDeclaration);
  }

  /** Reports the value that a layer has for a key. */
  void report(SettingsSource source, String key, Function<String, KernelException> error) {
    FilePosition position =
        source
            .find(key)
            .map(SettingsSource.SettingsValue::position)
            .or(() -> Optional.ofNullable(source.tables().get(key)))
            .orElse(FilePosition.START);
    invalid.putIfAbsent(
        key, new SettingsProblem(position, error.apply(source.locationOf(key, position))));
  }
}
