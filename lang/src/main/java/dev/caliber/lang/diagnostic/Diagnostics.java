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
 * Collects the diagnostics of one file. Beyond a number of errors, and one of warnings, it only
 * reports that there are more. It never repeats a secret. For one thread.
 */
public final class Diagnostics {
  private static final int MOST_BOUND = 1_000;
  private static final Comparator<Diagnostic> ORDER =
      Comparator.comparing(Diagnostic::span).thenComparing(Diagnostic::code);

  private final String file;
  private final DiagnosticBudget diagnosticBudget;
  private final Set<Diagnostic> found = new LinkedHashSet<>();
  private final Map<DiagnosticSeverity, Integer> counts = new EnumMap<>(DiagnosticSeverity.class);
  private final Set<DiagnosticSeverity> full = EnumSet.noneOf(DiagnosticSeverity.class);

  public Diagnostics(String file) {
    this(file, new DiagnosticBudget(MOST_BOUND));
  }

  /** Creates a collector for one of several files with a shared budget. */
  public Diagnostics(String file, DiagnosticBudget diagnosticBudget) {
    this.file = file;
    this.diagnosticBudget = diagnosticBudget;
  }

  public void report(DiagnosticCode code, Span span, String message, String suggestion) {
    DiagnosticSeverity diagnosticSeverity = code.severity();
    if (hasBudget(diagnosticSeverity)) {
      add(diagnosticSeverity, code, span, message, suggestion);
    } else if (full.add(diagnosticSeverity)) {
      add(
          diagnosticSeverity,
          DiagnosticCode.TOO_MANY_DIAGNOSTICS,
          span,
          "there are more than " + found.size() + " diagnostics; the rest is not shown",
          "correct these diagnostics first");
    }
  }

  /** Reports a diagnostic whose suggestion takes time to find. */
  public void report(DiagnosticCode code, Span span, String message, Supplier<String> suggestion) {
    report(code, span, message, hasBudget(code.severity()) ? suggestion.get() : message);
  }

  private boolean hasBudget(DiagnosticSeverity diagnosticSeverity) {
    return counts.getOrDefault(diagnosticSeverity, 0) < MOST_BOUND
        && !diagnosticBudget.isExhausted();
  }

  private void add(
      DiagnosticSeverity diagnosticSeverity,
      DiagnosticCode code,
      Span span,
      String message,
      String suggestion) {
    var told =
        new Diagnostic(
            diagnosticSeverity,
            code,
            file,
            span,
            SecretScanner.mask(message),
            SecretScanner.mask(suggestion));
    if (found.add(told)) {
      counts.merge(diagnosticSeverity, 1, Integer::sum);
      diagnosticBudget.spend();
    }
  }

  /** Returns whether no more errors are accepted, so that the caller need not format them. */
  public boolean isFull() {
    return full.contains(DiagnosticSeverity.ERROR);
  }

  /** Returns whether a secret was reported on this line. */
  boolean hasSecretAt(int line) {
    return found.stream()
        .filter(it -> it.code() == DiagnosticCode.RAW_SECRET)
        .anyMatch(it -> it.span().line() <= line && line <= it.span().endLine());
  }

  /** Returns the number of diagnostics so far. */
  public int size() {
    return found.size();
  }

  /** Returns all diagnostics in the order of the source. */
  public List<Diagnostic> sorted() {
    var sorted = new ArrayList<>(found);
    sorted.sort(ORDER);
    return List.copyOf(sorted);
  }
}
