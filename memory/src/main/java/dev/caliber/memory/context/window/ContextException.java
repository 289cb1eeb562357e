package dev.caliber.memory.context.window;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;

/** Refusal of context composition, with its code and advice. */
public final class ContextException extends CaliberException {

  private static final long serialVersionUID = 1L;

  private ContextException(ContextErrorCode code, String message) {
    super(code, message);
  }

  public static ContextException invalidBudget(int wanted, int most) {
    return new ContextException(
        ContextErrorCode.BUDGET_OUT_OF_RANGE,
        "max_tokens: expected 1 to %d (context.token-budget), found %d".formatted(most, wanted));
  }

  public static ContextException budgetTooSmall(int budget, int needed) {
    return new ContextException(
        ContextErrorCode.BUDGET_TOO_SMALL,
        "max_tokens: the system instructions and the frame of the window need %d tokens, but the budget is %d"
            .formatted(needed, budget));
  }

  public static ContextException unknownTokenizer(String name) {
    return new ContextException(
        ContextErrorCode.UNKNOWN_TOKENIZER,
        "tokenizer: there is no tokenizer '%s'".formatted(name));
  }

  public static ContextException unknownWindow(Id id) {
    return new ContextException(
        ContextErrorCode.UNKNOWN_WINDOW, "There is no window '%s' in this space".formatted(id));
  }

  public static ContextException wrongTrajectory(Window found, Id wanted) {
    return new ContextException(
        ContextErrorCode.WINDOW_OF_OTHER_TRAJECTORY,
        "window: expected a window of trajectory '%s', found window '%s' of trajectory '%s'"
            .formatted(wanted, found.id(), found.trajectory()));
  }

  public static ContextException contentChanged(Candidate candidate) {
    return new ContextException(
        ContextErrorCode.CONTENT_UNAVAILABLE,
        "The window cannot be replayed: it contains the %s '%s', whose content at that time no longer exists"
            .formatted(candidate.kind().lowerCaseName(), candidate.id()));
  }

  public static ContextException otherCompositionVersion(int found) {
    return new ContextException(
        ContextErrorCode.COMPOSITION_MISMATCH,
        "The window cannot be replayed: this version composes windows by rules of version %d, the window was composed by rules of version %d"
            .formatted(CompositionSettings.COMPOSITION, found));
  }

  public static ContextException replayDiffers(Id window) {
    return new ContextException(
        ContextErrorCode.COMPOSITION_MISMATCH,
        "The replay of window '%s' was refused, because it produced a text other than the stored one (the hashes differ)"
            .formatted(window));
  }
}
