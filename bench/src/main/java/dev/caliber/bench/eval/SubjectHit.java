package dev.caliber.bench.eval;

import dev.caliber.memory.record.EntityType;
import java.util.Set;

/**
 * One hit of recall.
 *
 * @param id the external id, or else the id
 * @param subject the subject it belongs to; empty: it belongs to the whole space
 * @param turns the external ids of the turns that it is, or that it comes from
 */
record SubjectHit(
    EntityType kind,
    String id,
    String subject,
    String text,
    double score,
    int tokens,
    Set<String> turns) {
  SubjectHit {
    turns = Set.copyOf(turns);
  }
}
