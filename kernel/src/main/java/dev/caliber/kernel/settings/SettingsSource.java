package dev.caliber.kernel.settings;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Limit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parsed and flattened layer: a map from dotted path to value for all that is no table, and one
 * from dotted path to position for tables.
 */
record SettingsSource(
    Kind kind,
    String name,
    Map<String, SettingsValue> values,
    Map<String, FilePosition> tables,
    List<SettingsProblem> syntaxErrors) {
  private static final Limit LENGTH = new Limit("length of a settings file", 1 << 20);

  /** Kind of layer; a later one overrides an earlier one. */
  enum Kind {
    STARTER,
    FILE,
    ENVIRONMENT
  }

  /**
   * Text, long, double, boolean or list of such, or any other value of the file that is no valid
   * setting; with the position of its key. A value of the environment is a text.
   */
  record SettingsValue(Object value, FilePosition position) {}

  /** Returns the source of that name before it is parsed. */
  static SettingsSource empty(Kind kind, String name, String text) {
    LENGTH.requireWithin(text.length());
    return new SettingsSource(
        kind, name, new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>());
  }

  void reportSyntax(FilePosition filePosition, String language, String reason) {
    syntaxErrors.add(
        new SettingsProblem(
            filePosition,
            KernelException.invalidSetting(locationOf("", filePosition), language, reason)));
  }

  /** Returns the position as file:line:column, or the name of the environment variable. */
  String locationOf(String path, FilePosition filePosition) {
    return kind == Kind.ENVIRONMENT
        ? EnvironmentSettings.variable(path)
        : name + ":" + filePosition.line() + ":" + filePosition.column();
  }

  Optional<SettingsValue> find(String path) {
    return Optional.ofNullable(values.get(path));
  }

  /** Returns the keys directly in the table. */
  List<String> keysIn(String table) {
    String prefix = table + ".";
    return values.keySet().stream()
        .filter(path -> path.startsWith(prefix))
        .map(path -> path.substring(prefix.length()))
        .filter(key -> key.indexOf('.') < 0)
        .toList();
  }

  /** Returns the position of the innermost table of the file that contains the path. */
  FilePosition enclosingTable(String path) {
    for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
      FilePosition filePosition = tables.get(path.substring(0, dot));
      if (filePosition != null) {
        return filePosition;
      }
    }
    return FilePosition.START;
  }
}
