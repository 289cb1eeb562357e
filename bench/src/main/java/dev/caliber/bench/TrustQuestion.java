package dev.caliber.bench;

import dev.caliber.memory.record.EntityType;

/**
 * A question of one subject, and a fragment of the text that answers it.
 *
 * @param kind where the answer was put: a note, a turn or an artifact
 */
record TrustQuestion(String subject, String query, EntityType kind, String expects) {

  /** A record of the subject that has the fragment; a note may say what the kind asked for says. */
  boolean isAnsweredBy(SubjectHit hit) {
    return hit.subject().equals(subject)
        && hit.text().contains(expects)
        && (hit.kind() == kind || hit.kind() == EntityType.NOTE);
  }
}
