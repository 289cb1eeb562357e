package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Places;
import dev.caliber.lang.diagnostic.Span;

/** Says what is wrong with a payload, and what in it should have been a reference. */
record Strictness(boolean strictRefs, Places places, Diagnostics diagnostics) {

  /** A value of the payload, as it is written. */
  void leaf(String text, int from, int to) {
    if (strictRefs && !References.only(text)) {
      refuse(places.span(from, to), diagnostics);
    }
  }

  /** Does not repeat the value, which may be a secret that only its name gives away. */
  static void refuse(Span span, Diagnostics diagnostics) {
    diagnostics.report(
        DiagnosticCode.NOT_A_REFERENCE,
        span,
        "a value that is not a reference",
        "write ${INPUT:name} or refer to the pack, or set strict_refs = false in cal.toml");
  }

  void report(DiagnosticCode code, int from, int to, String message, String suggestion) {
    diagnostics.report(code, places.span(from, to), message, suggestion);
  }

  void malformed(String text, int at, String message) {
    int from = Math.clamp(at, 0, text.length());
    int to = Math.min(from + 1, text.length());
    report(
        DiagnosticCode.INVALID_PAYLOAD, from, to, message, "mend it, or leave out the whole block");
  }

  void tooDeep(int at) {
    report(
        DiagnosticCode.NESTING_TOO_DEEP,
        at,
        at,
        "this is nested more than " + PromptBounds.PAYLOAD_NESTING + " levels deep",
        "write it flatter");
  }
}
