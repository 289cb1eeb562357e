package dev.caliber.kernel.settings;

/**
 * Declaration of a setting by a component of a settings record.
 *
 * @param key the full dotted name
 * @param type such as {@code duration}
 * @param range the allowed values as text; empty for any
 * @param unit the unit of a number; empty where the type implies it, or there is none
 */
public record SettingDeclaration(String key, String type, String range, String unit) {
  private static final String TABLE = "table of ";

  static SettingDeclaration of(String key, SettingType type) {
    return new SettingDeclaration(key, type.name(), type.range(), type.unit());
  }

  /** Returns the declaration of a table whose keys the author of a file chooses. */
  static SettingDeclaration ofTable(String key, SettingType type) {
    return new SettingDeclaration(key, TABLE + type.name() + "s", type.range(), type.unit());
  }

  boolean isTable() {
    return type.startsWith(TABLE);
  }
}
