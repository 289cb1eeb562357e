package dev.caliber.kernel.settings;

import dev.caliber.kernel.Hashing;
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
 * One settings file and what was read of it. Every room reads its section; then {@link #verify}
 * reports all that is missing, wrong or unknown, in the order of the file, each with
 * file:line:column. Until then a reader whose setting is missing or wrong returns some value within
 * its bounds, so that reading goes on. For one thread, at start-up.
 */
public final class Settings {
  private final Source source;
  private final String hash;
  private final SortedSet<String> keysRead = new TreeSet<>();
  private final Map<String, Declaration> declarations = new LinkedHashMap<>();
  private final List<Problem> incompatible = new ArrayList<>();
  private final Map<String, Problem> missing = new LinkedHashMap<>();
  private final Map<String, Problem> invalid = new LinkedHashMap<>();

  private Settings(Source source, String hash) {
    this.source = source;
    this.hash = hash;
  }

  /** Takes a file's text in TOML; even a syntax error waits for {@link #verify}. */
  public static Settings parse(String sourceName, String toml) {
    return new Settings(TomlSource.parse(sourceName, toml), Hashing.hash("settings", toml));
  }

  /** The same settings as a JSON object, whose members are the sections and keys. */
  public static Settings parseJson(String sourceName, String json) {
    return new Settings(JsonSource.parse(sourceName, json), Hashing.hash("settings", json));
  }

  /**
   * The section of that dotted name. One that the file lacks is a section whose keys are all
   * missing.
   */
  public Section section(String name) {
    return new Section(this, name);
  }

  /** The name of the file, as errors show it. */
  public String sourceName() {
    return source.name();
  }

  /** The hash of the file's text. */
  public String hash() {
    return hash;
  }

  /** The full names of all keys that were read, present or not. */
  public Set<String> keysRead() {
    return Collections.unmodifiableSet(new TreeSet<>(keysRead));
  }

  /** What was declared by reading, in the order of the first reading. */
  public List<Declaration> declarations() {
    return List.copyOf(declarations.values());
  }

  /**
   * Reports two settings that are each right and cannot be together, unless the condition holds. A
   * setting that is wrong in itself is reported for that only.
   */
  public void requireCompatible(boolean holds, String key, String otherKey, String reason) {
    var value = source.find(key);
    boolean known = value.isPresent() && source.find(otherKey).isPresent();
    if (!holds && known && !invalid.containsKey(key) && !invalid.containsKey(otherKey)) {
      Place place = value.get().place();
      String text = key + " and " + otherKey + ": " + reason;
      incompatible.add(
          new Problem(place, KernelException.incompatibleOptions(source.at(place), text)));
    }
  }

  /** Throws what is wrong with the file: the one error, or MULTIPLE_ERRORS with all of them. */
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
   * All that is wrong so far, in the order of the file. After a syntax error the parser may have
   * lost keys, so that missing and unknown ones are not reported beside it.
   */
  public List<KernelException> problems() {
    var all = new ArrayList<>(source.syntaxErrors());
    all.addAll(invalid.values());
    all.addAll(incompatible);
    if (source.syntaxErrors().isEmpty()) {
      all.addAll(missing.values());
      all.addAll(new UnknownKeys(source, keysRead).find());
    }
    return all.stream().sorted(Comparator.comparing(Problem::place)).map(Problem::error).toList();
  }

  Source source() {
    return source;
  }

  void read(String path) {
    keysRead.add(path);
  }

  void declare(Declaration declaration) {
    declarations.putIfAbsent(declaration.key(), declaration);
  }

  /** A table that has to be there, even if nothing is in it. */
  void requireTable(String path) {
    keysRead.add(path);
    if (!source.tables().containsKey(path)) {
      reportMissing(path);
    }
  }

  /** A key that its writer chose, and that is written in another way than keys are. */
  void reportName(String path) {
    keysRead.add(path);
    source.find(path).ifPresent(found -> reportInvalid(path, found.place(), "kebab-case", path));
  }

  void reportMissing(String path) {
    Place place = source.enclosing(path);
    missing.put(path, new Problem(place, KernelException.missingRequired(source.at(place), path)));
  }

  void report(String path, Place place, Function<String, KernelException> error) {
    invalid.putIfAbsent(path, new Problem(place, error.apply(source.at(place))));
  }

  void reportInvalid(String path, Place place, String wanted, String found) {
    invalid.put(
        path,
        new Problem(place, KernelException.invalidSetting(source.at(place), path, wanted, found)));
  }
}
