package dev.caliber.memory.context;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;

/** What composing a context refused, with its code and what to do about it. */
public final class ContextException extends CaliberException {

  private static final long serialVersionUID = 1L;

  private ContextException(ContextErrorCode code, String message) {
    super(code, message, code.advice());
  }

  static ContextException budget(int wanted, int most) {
    return new ContextException(
        ContextErrorCode.BUDGET_OUT_OF_RANGE,
        "max_tokens: wanted 1 to %d (context.token-budget), found %d".formatted(most, wanted));
  }

  static ContextException tooSmall(int budget, int needed) {
    return new ContextException(
        ContextErrorCode.BUDGET_TOO_SMALL,
        "max_tokens: wanted room for the instructions and the frame, %d tokens, found %d"
            .formatted(needed, budget));
  }

  static ContextException unknownTokenizer(String name) {
    return new ContextException(
        ContextErrorCode.UNKNOWN_TOKENIZER,
        "tokenizer: wanted one that is known here, found '%s'".formatted(name));
  }

  static ContextException unknownWindow(Id id) {
    return new ContextException(
        ContextErrorCode.UNKNOWN_WINDOW, "There is no window '%s' here".formatted(id));
  }

  static ContextException otherTrajectory(Window found, Id wanted) {
    return new ContextException(
        ContextErrorCode.OTHER_TRAJECTORY,
        "window: wanted one of trajectory '%s', found '%s', which is of '%s'"
            .formatted(wanted, found.id(), found.trajectory()));
  }

  static ContextException gone(Candidate candidate) {
    return new ContextException(
        ContextErrorCode.CONTENT_GONE,
        "The window holds the %s '%s', and what it said then is no longer here"
            .formatted(candidate.kind().word(), candidate.id()));
  }

  static ContextException otherComposition(int found) {
    return new ContextException(
        ContextErrorCode.OTHER_COMPOSITION,
        "Wanted a window composed by rules %d, found %d".formatted(Recipe.COMPOSITION, found));
  }

  static ContextException differs(Id window) {
    return new ContextException(
        ContextErrorCode.OTHER_COMPOSITION,
        "The window '%s' came out other than it was".formatted(window));
  }
}
