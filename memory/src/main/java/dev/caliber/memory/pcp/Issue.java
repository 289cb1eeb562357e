package dev.caliber.memory.pcp;

import dev.caliber.memory.record.EntityRef;
import java.util.List;

/**
 * Something that is wrong.
 *
 * @param message for people; it may quote what it is about
 * @param records what it is about, in the order of saying
 */
public record Issue(Severity severity, IssueType type, String message, List<EntityRef> records) {
  public Issue {
    records = List.copyOf(records);
  }

  static Issue of(Severity severity, IssueType type, String message, EntityRef... records) {
    return new Issue(severity, type, message, List.of(records));
  }

  /** A search by meaning could not compare all; what else was found stands. */
  static Issue notCompared(String what, String why) {
    return of(
        Severity.INFO,
        IssueType.NOT_COMPARED,
        "%s were not all compared by meaning: %s".formatted(what, why));
  }
}
