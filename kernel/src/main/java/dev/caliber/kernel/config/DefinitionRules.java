package dev.caliber.kernel.config;

import dev.caliber.kernel.KernelException;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Rules for the names of a configuration. */
final class DefinitionRules {
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]*");

  private DefinitionRules() {}

  static void require(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw KernelException.invalidValue(what, "a name of a-z, 0-9 and _", name);
    }
  }

  static void requireText(String what, String text) {
    if (text.isBlank()) {
      throw KernelException.requiredFieldMissing(what);
    }
  }

  static void requireUnique(String what, Stream<String> names) {
    var seen = new HashSet<String>();
    names.forEach(
        name -> {
          if (!seen.add(name)) {
            throw KernelException.invalidValue(what, "each name only once", name);
          }
        });
  }

  static void requireKnown(String memory, Set<String> known) {
    if (!known.contains(memory)) {
      throw KernelException.invalidValue("memory", "a memory of the configuration", memory);
    }
  }
}
