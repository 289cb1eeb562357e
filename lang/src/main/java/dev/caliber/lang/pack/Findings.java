package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.Allowance;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Severity;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is found in the files of a pack, up to a bound for all of them. For one thread. */
final class Findings {
  private static final int MOST_BOUND = 2_000;

  private final Map<String, Diagnostics> files = new TreeMap<>();
  private final Allowance allowance = new Allowance(MOST_BOUND);

  Diagnostics in(String file) {
    return files.computeIfAbsent(file, it -> new Diagnostics(it, allowance));
  }

  Diagnostics inManifest() {
    return in(PackSource.MANIFEST);
  }

  /** All of it, by file and place. */
  List<Diagnostic> sorted() {
    return files.values().stream().flatMap(found -> found.sorted().stream()).toList();
  }

  boolean hasErrors() {
    return files.values().stream()
        .flatMap(found -> found.sorted().stream())
        .anyMatch(found -> found.severity() == Severity.ERROR);
  }
}
