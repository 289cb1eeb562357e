package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.diagnostic.SpanLocator;

/** Reports errors of a payload, and values that are not references. */
record PayloadDiagnostics(boolean strictRefs, SpanLocator places, Diagnostics diagnostics) {

  /** Checks a value of the payload, as it is written. */
  void checkValue(String text, int from, int to) {
    if (strictRefs && !ReferenceScanner.isOnlyReferences(text)) {
      reportNotAReference(places.span(from, to), diagnostics);
    }
  }

  /** Reports a value without repeating it, because it may be a secret. */
  static void reportNotAReference(Span span, Diagnostics diagnostics) {
    diagnostics.report(
        DiagnosticCode.NOT_A_REFERENCE,
        span,
        "a value that is not a reference",
        "write ${INPUT:name} or refer to the pack, or set strict_refs = false in cal.toml");
  }

  void report(DiagnosticCode code, int from, int to, String message, String suggestion) {
    diagnostics.report(code, places.span(from, to), message, suggestion);
  }

  void reportMalformed(String text, int at, String message) {
    int from = Math.clamp(at, 0, text.length());
    int to = Math.min(from + 1, text.length());
    report(
        DiagnosticCode.INVALID_PAYLOAD,
        from,
        to,
        message,
        "correct the payload, or remove the whole block");
  }

  void reportTooDeep(int at) {
    report(
        DiagnosticCode.NESTING_TOO_DEEP,
        at,
        at,
        "this is nested more than " + PromptBounds.PAYLOAD_NESTING + " levels deep",
        "write this part with fewer levels");
  }
}
