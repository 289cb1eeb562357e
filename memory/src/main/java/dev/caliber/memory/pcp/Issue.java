package dev.caliber.memory.pcp;

import dev.caliber.memory.record.EntityRef;
import java.util.List;

/**
 * Problem found by validation or lint.
 *
 * @param message for people; it may quote content
 * @param records the records concerned, in the order in which the message names them
 */
public record Issue(
    IssueSeverity severity, IssueType type, String message, List<EntityRef> records) {
  public Issue {
    records = List.copyOf(records);
  }

  static Issue of(
      IssueSeverity issueSeverity, IssueType type, String message, EntityRef... records) {
    return new Issue(issueSeverity, type, message, List.of(records));
  }

  /** Returns an info that a search by meaning was incomplete; the other issues still hold. */
  static Issue incompleteComparison(String what, String why) {
    return of(
        IssueSeverity.INFO,
        IssueType.NOT_COMPARED,
        "%s could not all be compared by meaning: %s".formatted(what, why));
  }
}
