package dev.caliber.lang.diagnostic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Collects what is found in one file. Past a bound of errors, and one of warnings, it says that
 * there is more. What it is told never repeats a secret. For one thread.
 */
public final class Diagnostics {
  private static final int MOST_BOUND = 1_000;
  private static final Comparator<Diagnostic> ORDER =
      Comparator.comparing(Diagnostic::span).thenComparing(Diagnostic::code);

  private final String file;
  private final Allowance allowance;
  private final Set<Diagnostic> found = new LinkedHashSet<>();
  private final Map<Severity, Integer> counts = new EnumMap<>(Severity.class);
  private final Set<Severity> full = EnumSet.noneOf(Severity.class);

  public Diagnostics(String file) {
    this(file, new Allowance(MOST_BOUND));
  }

  /** For a file among many, which share an allowance. */
  public Diagnostics(String file, Allowance allowance) {
    this.file = file;
    this.allowance = allowance;
  }

  public void report(DiagnosticCode code, Span span, String message, String suggestion) {
    Severity severity = code.severity();
    if (hasRoom(severity)) {
      add(severity, code, span, message, suggestion);
    } else if (full.add(severity)) {
      add(
          severity,
          DiagnosticCode.TOO_MANY_DIAGNOSTICS,
          span,
          "there are more than " + found.size() + " diagnostics; the rest is not shown",
          "mend these first");
    }
  }

  /** The same, for a suggestion that takes time to find. */
  public void report(DiagnosticCode code, Span span, String message, Supplier<String> suggestion) {
    report(code, span, message, hasRoom(code.severity()) ? suggestion.get() : message);
  }

  private boolean hasRoom(Severity severity) {
    return counts.getOrDefault(severity, 0) < MOST_BOUND && !allowance.isSpent();
  }

  private void add(
      Severity severity, DiagnosticCode code, Span span, String message, String suggestion) {
    var told =
        new Diagnostic(
            severity, code, file, span, Secrets.hidden(message), Secrets.hidden(suggestion));
    if (found.add(told)) {
      counts.merge(severity, 1, Integer::sum);
      allowance.spend();
    }
  }

  /** Whether no more errors are taken, so that there is no use in wording them. */
  public boolean isFull() {
    return full.contains(Severity.ERROR);
  }

  /** Whether a secret was told of that stands on this line. */
  boolean tellsSecretAt(int line) {
    return found.stream()
        .filter(it -> it.code() == DiagnosticCode.RAW_SECRET)
        .anyMatch(it -> it.span().line() <= line && line <= it.span().endLine());
  }

  /** How many there are so far. */
  public int size() {
    return found.size();
  }

  /** All of them in the order of the source. */
  public List<Diagnostic> sorted() {
    var sorted = new ArrayList<>(found);
    sorted.sort(ORDER);
    return List.copyOf(sorted);
  }
}
