package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.TextChecks;
import java.util.Optional;

/**
 * Command that deletes records permanently in one commit, with everything that quotes them: earlier
 * versions, records derived from them alone, sentences of summaries, vectors. A tombstone without
 * content remains.
 *
 * @param id one record; a trajectory or a scope includes its content and checkpoints
 * @param filter every matching note, turn and artifact; a filter for only a subject includes the
 *     subject's trajectories
 * @param preview reports what would be deleted, without deleting
 */
public record ForgetRecords(
    Optional<Id> id, Optional<RecallFilter> filter, boolean preview, String reason)
    implements Command<ForgetResult> {
  public ForgetRecords {
    if (id.isPresent() == filter.isPresent()) {
      throw MemoryException.invalid(
          "forget", "an id or a filter", id.isPresent() ? "both" : "neither");
    }
    if (filter.filter(RecallFilter::isEmpty).isPresent()) {
      throw MemoryException.invalid("forget", "a filter with at least one field", "an empty one");
    }
    TextChecks.requireStorable("reason", reason);
  }

  public static ForgetRecords of(Id id) {
    return new ForgetRecords(Optional.of(id), Optional.empty(), false, "");
  }

  public static ForgetRecords matching(RecallFilter filter) {
    return new ForgetRecords(Optional.empty(), Optional.of(filter), false, "");
  }

  /** Returns the filter, unless it only names a subject, whose records one index finds. */
  public Optional<RecallFilter> broadFilter() {
    return filter.filter(wanted -> wanted.onlySubject().isEmpty());
  }

  /** Returns this command as a preview. */
  public ForgetRecords asPreview() {
    return new ForgetRecords(id, filter, true, reason);
  }
}
