package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Texts;
import java.util.Optional;

/**
 * Removes records for good, with everything that quotes them, in one commit: earlier versions, what
 * was made of them alone, sentences of summaries, vectors. A tombstone without content stays.
 *
 * @param id one record; a trajectory or a scope goes with everything in it, and with its
 *     checkpoints
 * @param filter every note, turn and artifact that fits; one for a subject and nothing else also
 *     means the subject's trajectories
 * @param preview only say what would go
 */
public record Forget(Optional<Id> id, Optional<RecallFilter> filter, boolean preview, String reason)
    implements Command<Forgotten> {
  public Forget {
    if (id.isPresent() == filter.isPresent()) {
      throw MemoryException.invalid(
          "forget", "an id or a filter", id.isPresent() ? "both" : "neither");
    }
    if (filter.filter(RecallFilter::isEmpty).isPresent()) {
      throw MemoryException.invalid("forget", "a filter that says something", "one for everything");
    }
    Texts.require("reason", reason);
  }

  public static Forget of(Id id) {
    return new Forget(Optional.of(id), Optional.empty(), false, "");
  }

  public static Forget all(RecallFilter filter) {
    return new Forget(Optional.empty(), Optional.of(filter), false, "");
  }

  /** A filter that takes more than a walk along the records of one subject. */
  public Optional<RecallFilter> searched() {
    return filter.filter(wanted -> wanted.subjectAlone().isEmpty());
  }

  /** The same, but nothing is removed. */
  public Forget previewed() {
    return new Forget(id, filter, true, reason);
  }
}
