package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.Allowance;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Severity;
import dev.caliber.lang.prompt.Secrets;
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
    return files.values().stream()
        .flatMap(found -> found.sorted().stream())
        .map(Findings::discreet)
        .toList();
  }

  /** No diagnostic repeats a secret. */
  private static Diagnostic discreet(Diagnostic found) {
    return Secrets.find(found.message() + "\n" + found.suggestion()).isEmpty()
        ? found
        : new Diagnostic(
            found.severity(),
            found.code(),
            found.file(),
            found.span(),
            hidden(found.message()),
            hidden(found.suggestion()));
  }

  private static String hidden(String text) {
    var shown = new StringBuilder(text);
    Secrets.find(text).reversed().forEach(it -> shown.replace(it.from(), it.to(), "…"));
    return shown.toString();
  }

  boolean hasErrors() {
    return files.values().stream()
        .flatMap(found -> found.sorted().stream())
        .anyMatch(found -> found.severity() == Severity.ERROR);
  }
}
