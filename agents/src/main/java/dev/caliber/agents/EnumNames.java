package dev.caliber.agents;

import java.util.Locale;

/** Names of enum constants in lower case. */
final class EnumNames {
  private EnumNames() {}

  static String lowerCaseName(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
