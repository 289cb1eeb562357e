package dev.caliber.kernel.settings;

import dev.caliber.kernel.settings.SettingsSource.SettingsValue;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Environment variables as settings: {@code CALIBER__STORE__WRITES__TIME_LIMIT} is {@code
 * store.writes.time-limit}. Names with single underscores, such as {@code CALIBER_SPACE}, are no
 * settings.
 */
final class EnvironmentSettings {
  static final String NAME = "the environment";
  private static final String PREFIX = "CALIBER__";
  private static final Pattern VARIABLE = Pattern.compile("[A-Z0-9]+(_{1,2}[A-Z0-9]+)*");

  private EnvironmentSettings() {}

  /** Returns the variables that are settings. */
  static SortedMap<String, String> select(Map<String, String> environment) {
    var selected = new TreeMap<>(environment);
    selected.keySet().removeIf(name -> !name.startsWith(PREFIX));
    return selected;
  }

  static SettingsSource parse(SortedMap<String, String> variables) {
    var source = SettingsSource.empty(SettingsSource.Kind.ENVIRONMENT, NAME, "");
    variables.forEach(
        (name, value) ->
            source.values().put(key(name), new SettingsValue(value, FilePosition.AFTER_FILE)));
    return source;
  }

  /** Returns the key of a variable; one that no key can have keeps its name, so it is unknown. */
  private static String key(String variable) {
    String rest = variable.substring(PREFIX.length());
    return VARIABLE.matcher(rest).matches()
        ? rest.toLowerCase(Locale.ROOT).replace("__", ".").replace('_', '-')
        : variable;
  }

  /** Returns the variable of a key. */
  static String variable(String key) {
    return key.startsWith(PREFIX)
        ? key
        : PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_').replace(".", "__");
  }
}
