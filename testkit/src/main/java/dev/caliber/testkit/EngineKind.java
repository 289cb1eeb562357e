package dev.caliber.testkit;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Kinds of engine that contracts run on. */
public enum EngineKind {
  MEMORY,
  SQLITE,
  POSTGRES;

  static final String VARIABLE = "CALIBER_TEST_ENGINES";

  /**
   * Returns the kinds that this run tests. Only the variable leaves one out: a server that is
   * missing by accident has to fail the tests that need it.
   */
  static List<EngineKind> testedKinds(Map<String, String> environment) {
    String names = environment.get(VARIABLE);
    return names == null
        ? List.of(values())
        : Stream.of(names.split(",", -1))
            .map(name -> valueOf(name.strip().toUpperCase(Locale.ROOT)))
            .toList();
  }
}
