package dev.caliber.memory.record;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** Everything that memory refuses. */
public enum MemoryErrorCode implements ErrorCode {
  UNKNOWN_RECORD(ErrorKind.NOT_FOUND, "Check the id and the space."),
  CONSTRAINT_VIOLATION(ErrorKind.INVALID, ""),
  TRAJECTORY_REQUIRED(ErrorKind.INVALID, "Name the trajectory that it is to work on."),
  EMPTY_CONTENT(ErrorKind.INVALID, ""),
  NOT_TEXT(ErrorKind.INVALID, "Send valid UTF-8, or the content as bytes."),
  CONFIDENCE_OUT_OF_RANGE(ErrorKind.INVALID, ""),
  CIRCULAR_REFERENCE(ErrorKind.INVALID, ""),
  SCOPE_CLOSED(ErrorKind.CONFLICT, "Open a new scope of the trajectory."),
  TRAJECTORY_ENDED(ErrorKind.CONFLICT, "Start a new one; its parent may be this one."),
  UNPAIRED_TOOL_RESULT(ErrorKind.CONFLICT, "Append the call first, and each result once."),
  REPEATED_TOOL_CALL(ErrorKind.CONFLICT, "Give every call of a trajectory an id of its own."),
  SUBJECT_MISMATCH(
      ErrorKind.CONFLICT,
      "Start another session for this subject, or start the session as a group."),
  NOT_LIVE(ErrorKind.CONFLICT, "Read what took its place."),
  STALE_DATA(ErrorKind.CONFLICT, "Read it again and decide anew."),
  CONTRADICTION(ErrorKind.CONFLICT, ""),
  NO_CHECKPOINT_AVAILABLE(ErrorKind.NOT_FOUND, ""),
  DAMAGED_LEDGER(ErrorKind.INTERNAL, "Run 'caliber doctor'; the checkpoint itself can be used."),
  ACCESS_DENIED(ErrorKind.DENIED, "Ask whoever keeps the access policy of this memory."),
  POLICY_FAILED(ErrorKind.INTERNAL, ""),
  WORK_TAKEN_OVER(ErrorKind.CONFLICT, "Nothing: whoever has it now goes on with it."),
  TOO_MUCH_FOR_ONE_COMMIT(
      ErrorKind.LIMIT,
      "Do it by itself, in commits of its own, or raise memory.consolidation.batch."),
  RETURN_TOO_FAR(
      ErrorKind.LIMIT, "Return to a later checkpoint, or fork at this one: a fork copies nothing."),
  SUMMARIZATION_FAILED(ErrorFamily.LLM, ErrorKind.UNAVAILABLE, "");

  private final ErrorFamily family;
  private final ErrorKind kind;
  private final String advice;

  MemoryErrorCode(ErrorKind kind, String advice) {
    this(ErrorFamily.VALIDATION, kind, advice);
  }

  MemoryErrorCode(ErrorFamily family, ErrorKind kind, String advice) {
    this.family = family;
    this.kind = kind;
    this.advice = advice;
  }

  /** What to do about it, where that is always the same. */
  String advice() {
    return advice;
  }

  @Override
  public ErrorFamily family() {
    return family;
  }

  @Override
  public ErrorKind kind() {
    return kind;
  }
}
