package dev.caliber.lang.pack.manifest;

import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticBudget;
import dev.caliber.lang.diagnostic.DiagnosticSeverity;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The diagnostics of all files of a pack, with one bound. For one thread. */
public final class PackDiagnostics {
  private static final int MOST_BOUND = 2_000;

  private final Map<String, Diagnostics> files = new TreeMap<>();
  private final DiagnosticBudget diagnosticBudget = new DiagnosticBudget(MOST_BOUND);

  public Diagnostics inFile(String file) {
    return files.computeIfAbsent(file, it -> new Diagnostics(it, diagnosticBudget));
  }

  public Diagnostics inManifest() {
    return inFile(PackSource.MANIFEST);
  }

  /** Returns all diagnostics, by file and position. */
  public List<Diagnostic> sorted() {
    return files.values().stream().flatMap(found -> found.sorted().stream()).toList();
  }

  public boolean hasErrors() {
    return files.values().stream()
        .flatMap(found -> found.sorted().stream())
        .anyMatch(found -> found.severity() == DiagnosticSeverity.ERROR);
  }
}
