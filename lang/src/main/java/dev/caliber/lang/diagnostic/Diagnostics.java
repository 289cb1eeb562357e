package dev.caliber.lang.diagnostic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Collects what is found in one file. Past a bound it says that there is more. For one thread. */
public final class Diagnostics {
  private static final int MOST_BOUND = 1_000;
  private static final Comparator<Diagnostic> ORDER =
      Comparator.comparing(Diagnostic::span).thenComparing(Diagnostic::code);

  private final String file;
  private final Allowance allowance;
  private final Set<Diagnostic> found = new LinkedHashSet<>();
  private boolean full;

  public Diagnostics(String file) {
    this(file, new Allowance(MOST_BOUND));
  }

  /** For a file among many, which share an allowance. */
  public Diagnostics(String file, Allowance allowance) {
    this.file = file;
    this.allowance = allowance;
  }

  public void report(DiagnosticCode code, Span span, String message, String suggestion) {
    if (hasRoom()) {
      add(code, span, message, suggestion);
    } else if (!full) {
      full = true;
      add(
          DiagnosticCode.TOO_MANY_DIAGNOSTICS,
          span,
          "there are more than " + found.size() + " diagnostics; the rest is not shown",
          "mend these first");
    }
  }

  /** The same, for a suggestion that takes time to find. */
  public void report(DiagnosticCode code, Span span, String message, Supplier<String> suggestion) {
    report(code, span, message, hasRoom() ? suggestion.get() : message);
  }

  private boolean hasRoom() {
    return found.size() < MOST_BOUND && !allowance.isSpent();
  }

  private void add(DiagnosticCode code, Span span, String message, String suggestion) {
    if (found.add(new Diagnostic(code.severity(), code, file, span, message, suggestion))) {
      allowance.spend();
    }
  }

  /** Whether nothing more is taken, so that there is no use in wording it. */
  public boolean isFull() {
    return full;
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
