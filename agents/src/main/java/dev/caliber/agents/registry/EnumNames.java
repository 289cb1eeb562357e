package dev.caliber.agents.registry;

import java.util.Locale;

/** Names of enum constants in lower case. */
public final class EnumNames {
  private EnumNames() {}

  public static String lowerCaseName(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
