package dev.caliber.memory.record;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** Error code of memory. */
public enum MemoryErrorCode implements ErrorCode {
  UNKNOWN_RECORD(ErrorKind.NOT_FOUND, "Check the id and the space."),
  CONSTRAINT_VIOLATION(ErrorKind.INVALID),
  TRAJECTORY_REQUIRED(ErrorKind.INVALID, "Send the trajectory on which the policy runs."),
  EMPTY_CONTENT(ErrorKind.INVALID),
  NOT_TEXT(ErrorKind.INVALID, "Send text in valid UTF-8, or send the content as bytes."),
  CONFIDENCE_OUT_OF_RANGE(ErrorKind.INVALID),
  CIRCULAR_REFERENCE(ErrorKind.INVALID),
  SCOPE_CLOSED(ErrorKind.CONFLICT, "Open a new scope of the trajectory."),
  TRAJECTORY_ENDED(
      ErrorKind.CONFLICT, "Start a new trajectory; the ended trajectory may be its parent."),
  UNPAIRED_TOOL_RESULT(
      ErrorKind.CONFLICT,
      "Append the tool call before its result, and append each result only once."),
  REPEATED_TOOL_CALL(ErrorKind.CONFLICT, "Give every call of a trajectory an id of its own."),
  SUBJECT_MISMATCH(
      ErrorKind.CONFLICT,
      "Use another session for this subject, or start the session as a group session."),
  RECORD_NOT_LIVE(ErrorKind.CONFLICT, "Use the record that supersedes it, or create a new record."),
  STALE_DATA(
      ErrorKind.CONFLICT, "Read the record again, then repeat the change on its present content."),
  CONTRADICTION(ErrorKind.CONFLICT),
  NO_CHECKPOINT_AVAILABLE(ErrorKind.NOT_FOUND),
  DAMAGED_LEDGER(
      ErrorKind.INTERNAL,
      "Run 'caliber doctor' to find damaged records. The trajectory can still return to this checkpoint; only its stored window is lost."),
  POLICY_FAILED(ErrorKind.INTERNAL),
  JOB_LEASE_LOST(
      ErrorKind.CONFLICT, "Do nothing: the process that has the lease now finishes the job."),
  COMMIT_TOO_LARGE(
      ErrorKind.LIMIT,
      "Send the consolidation as a request of its own, so that it can use several commits, or raise memory.consolidation.batch."),
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
