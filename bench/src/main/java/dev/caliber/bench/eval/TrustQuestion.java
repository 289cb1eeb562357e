package dev.caliber.bench.eval;

import dev.caliber.memory.record.EntityType;

/**
 * A question of one subject, and a fragment of the text that answers it.
 *
 * @param kind the kind of the record that contains the answer: a note, a turn or an artifact
 */
record TrustQuestion(String subject, String query, EntityType kind, String expects) {

  /** Returns whether the hit is the subject's and has the fragment; a note may be of any kind. */
  boolean isAnsweredBy(SubjectHit hit) {
    return hit.subject().equals(subject)
        && hit.text().contains(expects)
        && (hit.kind() == kind || hit.kind() == EntityType.NOTE);
  }
}
