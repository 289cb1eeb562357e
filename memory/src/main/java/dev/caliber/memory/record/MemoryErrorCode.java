package dev.caliber.memory.record;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** Error code of memory. */
public enum MemoryErrorCode implements ErrorCode {
  UNKNOWN_RECORD(ErrorKind.NOT_FOUND, "Check the id and the space."),
  CONSTRAINT_VIOLATION(ErrorKind.INVALID),
  TRAJECTORY_REQUIRED(ErrorKind.INVALID, "Name the trajectory to work on."),
  EMPTY_CONTENT(ErrorKind.INVALID),
  NOT_TEXT(ErrorKind.INVALID, "Send valid UTF-8, or the content as bytes."),
  CONFIDENCE_OUT_OF_RANGE(ErrorKind.INVALID),
  CIRCULAR_REFERENCE(ErrorKind.INVALID),
  SCOPE_CLOSED(ErrorKind.CONFLICT, "Open a new scope of the trajectory."),
  TRAJECTORY_ENDED(ErrorKind.CONFLICT, "Start a new trajectory; this one may be its parent."),
  UNPAIRED_TOOL_RESULT(ErrorKind.CONFLICT, "Append the call first, and each result once."),
  REPEATED_TOOL_CALL(ErrorKind.CONFLICT, "Give every call of a trajectory an id of its own."),
  SUBJECT_MISMATCH(
      ErrorKind.CONFLICT,
      "Start another session for this subject, or start the session as a group."),
  RECORD_NOT_LIVE(ErrorKind.CONFLICT, "Read its successor."),
  STALE_DATA(ErrorKind.CONFLICT, "Read it again and decide anew."),
  CONTRADICTION(ErrorKind.CONFLICT),
  NO_CHECKPOINT_AVAILABLE(ErrorKind.NOT_FOUND),
  DAMAGED_LEDGER(ErrorKind.INTERNAL, "Run 'caliber doctor'; the checkpoint itself can be used."),
  ACCESS_DENIED(ErrorKind.DENIED, "Ask the administrator of this memory's access policy."),
  POLICY_FAILED(ErrorKind.INTERNAL),
  JOB_LEASE_LOST(ErrorKind.CONFLICT, "Do nothing: the process that runs the job now finishes it."),
  COMMIT_TOO_LARGE(
      ErrorKind.LIMIT,
      "Send it by itself, so that it uses several commits, or raise memory.consolidation.batch."),
  RECOVERY_TOO_LARGE(
      ErrorKind.LIMIT, "Return to a later checkpoint, or fork at this one: a fork copies nothing."),
  SUMMARIZATION_FAILED(ErrorFamily.LLM, ErrorKind.UNAVAILABLE);

  private final ErrorTraits traits;

  MemoryErrorCode(ErrorKind kind, String... advice) {
    this(ErrorFamily.VALIDATION, kind, advice);
  }

  MemoryErrorCode(ErrorFamily family, ErrorKind kind, String... advice) {
    this.traits = ErrorTraits.of(family, kind, advice);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
