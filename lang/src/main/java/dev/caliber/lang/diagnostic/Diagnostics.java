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
  private final int most;
  private final Set<Diagnostic> found = new LinkedHashSet<>();
  private boolean full;

  public Diagnostics(String file) {
    this(file, MOST_BOUND);
  }

  /** For a file among many, which share a bound of their own. */
  public Diagnostics(String file, int most) {
    this.file = file;
    this.most = Math.clamp(most, 0, MOST_BOUND);
  }

  public void report(DiagnosticCode code, Span span, String message, String suggestion) {
    if (found.size() < most) {
      found.add(new Diagnostic(code.severity(), code, file, span, message, suggestion));
    } else if (!full) {
      full = true;
      var more = DiagnosticCode.TOO_MANY_DIAGNOSTICS;
      found.add(
          new Diagnostic(
              more.severity(),
              more,
              file,
              span,
              most == 0
                  ? "there is more here, which is not shown"
                  : "there are more than " + most + " diagnostics; the rest is not shown",
              "mend these first"));
    }
  }

  /** The same, for a suggestion that takes time to find. */
  public void report(DiagnosticCode code, Span span, String message, Supplier<String> suggestion) {
    report(code, span, message, found.size() < most ? suggestion.get() : message);
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
