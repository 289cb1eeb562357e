package dev.caliber.memory.record;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.spi.AccessPolicy.Access;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What memory refused, with its code and, where there is one, what to do about it. */
public final class MemoryException extends CaliberException {

  private static final long serialVersionUID = 1L;
  private static final String FIELD = "field";
  private static final String ENTITY_TYPE = "entity_type";

  private final transient Map<String, String> fields;

  private MemoryException(MemoryErrorCode code, String message) {
    this(code, message, Map.of());
  }

  private MemoryException(MemoryErrorCode code, String message, Map<String, String> fields) {
    super(code, message, code.advice());
    this.fields = fields;
  }

  private MemoryException(MemoryErrorCode code, String message, RuntimeException cause) {
    super(code, message, code.advice(), cause);
    this.fields = Map.of();
  }

  @Override
  public Map<String, String> fields() {
    return fields;
  }

  /** What is kept of a checkpoint's window cannot be read. */
  public static MemoryException damagedLedger(Id checkpoint, RuntimeException cause) {
    return new MemoryException(
        MemoryErrorCode.DAMAGED_LEDGER,
        "The ledger of checkpoint '%s' cannot be read".formatted(checkpoint),
        cause);
  }

  public static MemoryException unknown(EntityType type, Object id) {
    return new MemoryException(
        MemoryErrorCode.UNKNOWN_RECORD,
        "There is no %s '%s' here".formatted(type.word(), id),
        Map.of(ENTITY_TYPE, type.word(), "id", id.toString()));
  }

  /** Of whatever kind. */
  public static MemoryException unknown(Id id) {
    return new MemoryException(
        MemoryErrorCode.UNKNOWN_RECORD,
        "There is no record '%s' here".formatted(id),
        Map.of("id", id.toString()));
  }

  public static MemoryException forgotten(Tombstone left) {
    return new MemoryException(
        MemoryErrorCode.UNKNOWN_RECORD,
        "The %s '%s' was forgotten at %s"
            .formatted(left.type().word(), left.id(), left.forgottenAt()),
        Map.of(ENTITY_TYPE, left.type().word(), "id", left.id().toString()));
  }

  public static MemoryException unknownPolicy(String name) {
    return new MemoryException(
        MemoryErrorCode.UNKNOWN_RECORD, "Nothing deployed here has a policy '%s'".formatted(name));
  }

  public static MemoryException invalid(String field, String wanted, String found) {
    return new MemoryException(
        MemoryErrorCode.CONSTRAINT_VIOLATION,
        "%s: wanted %s, found %s".formatted(field, wanted, found),
        Map.of(FIELD, field));
  }

  /** A policy that works on a task was asked to work on none. */
  public static MemoryException trajectoryRequired(String policy) {
    return new MemoryException(
        MemoryErrorCode.TRAJECTORY_REQUIRED,
        "trajectory: the policy '%s' works on one, and none was named".formatted(policy),
        Map.of(FIELD, "trajectory"));
  }

  public static MemoryException empty(String field) {
    return new MemoryException(
        MemoryErrorCode.EMPTY_CONTENT,
        field + ": wanted something, found nothing",
        Map.of(FIELD, field));
  }

  static MemoryException notText(String field, int position) {
    return new MemoryException(
        MemoryErrorCode.NOT_TEXT,
        "%s: wanted text, found a character that is none at position %d".formatted(field, position),
        Map.of(FIELD, field));
  }

  static MemoryException confidence(double found) {
    return new MemoryException(
        MemoryErrorCode.CONFIDENCE_OUT_OF_RANGE,
        "confidence: wanted a number from 0 to 1, found " + found);
  }

  public static MemoryException circular(EntityType type, List<Id> ids) {
    return new MemoryException(
        MemoryErrorCode.CIRCULAR_REFERENCE,
        "A %s cannot come before itself: %s".formatted(type.word(), ids),
        Map.of(ENTITY_TYPE, type.word(), "ids", ids.toString()));
  }

  public static MemoryException scopeClosed(Id scope) {
    return new MemoryException(
        MemoryErrorCode.SCOPE_CLOSED, "Wanted an open scope, found '%s' closed".formatted(scope));
  }

  public static MemoryException ended(Trajectory trajectory) {
    return new MemoryException(
        MemoryErrorCode.TRAJECTORY_ENDED,
        "Wanted a trajectory that goes on, found '%s' %s"
            .formatted(trajectory.id(), trajectory.status()));
  }

  /** A session belongs to another subject; which one is not said, nor anything of it. */
  public static MemoryException otherSubject(Trajectory trajectory, String subject) {
    String name = trajectory.labels().externalId().orElseGet(() -> trajectory.id().toString());
    return new MemoryException(
        MemoryErrorCode.SUBJECT_MISMATCH,
        "Session '%s' belongs to another subject than '%s'".formatted(name, subject),
        Map.of("trajectory_id", trajectory.id().toString(), "subject", subject));
  }

  public static MemoryException unpaired(String call) {
    return new MemoryException(
        MemoryErrorCode.UNPAIRED_TOOL_RESULT,
        "Wanted a result for an open tool call, found one for '%s'".formatted(call));
  }

  public static MemoryException repeatedCall(String call) {
    return new MemoryException(
        MemoryErrorCode.REPEATED_TOOL_CALL,
        "Wanted a new id for a tool call, found '%s' again".formatted(call));
  }

  public static MemoryException notLive(EntityType type, Id id) {
    return new MemoryException(
        MemoryErrorCode.NOT_LIVE,
        "Wanted a live %s, found '%s' superseded or expired".formatted(type.word(), id));
  }

  /** An access policy says no. */
  public static MemoryException denied(String actor, SpaceId space, Access access) {
    return new MemoryException(
        MemoryErrorCode.ACCESS_DENIED,
        "'%s' may not %s in space '%s'"
            .formatted(actor, access.name().toLowerCase(Locale.ROOT), space));
  }

  public static MemoryException takenOver(String work) {
    return new MemoryException(
        MemoryErrorCode.WORK_TAKEN_OVER,
        "The job '%s' is another's by now, or the process ends".formatted(work));
  }

  /** What has to be one commit with something else would be too large for it. */
  public static MemoryException tooMuchForOneCommit(Id trajectory, int most) {
    return new MemoryException(
        MemoryErrorCode.TOO_MUCH_FOR_ONE_COMMIT,
        "Wanted a trajectory with at most %d artifacts to make notes of in a larger commit, found '%s' with more"
            .formatted(most, trajectory),
        Map.of("trajectory_id", trajectory.toString()));
  }

  /** More has come since a checkpoint than one commit can take back. */
  public static MemoryException returnTooFar(Id checkpoint, int most) {
    return new MemoryException(
        MemoryErrorCode.RETURN_TOO_FAR,
        "Wanted at most %d records of a kind since checkpoint '%s', found more (memory.limits.records)"
            .formatted(most, checkpoint));
  }

  /** The store has refused the commit of a return as too large, or as too long. */
  public static MemoryException returnTooFar(Id trajectory, CaliberException refusal) {
    return new MemoryException(
        MemoryErrorCode.RETURN_TOO_FAR,
        "Wanted a return of trajectory '%s' that one commit holds, found more since the checkpoint: %s"
            .formatted(trajectory, refusal.getMessage()),
        refusal);
  }

  public static MemoryException noCheckpoint(Id trajectory) {
    return new MemoryException(
        MemoryErrorCode.NO_CHECKPOINT_AVAILABLE,
        "The trajectory '%s' has no checkpoint to return to".formatted(trajectory),
        Map.of("trajectory_id", trajectory.toString()));
  }
}
