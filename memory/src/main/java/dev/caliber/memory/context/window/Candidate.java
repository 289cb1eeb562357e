package dev.caliber.memory.context.window;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Id;
import java.time.Instant;
import java.util.Optional;

/**
 * Record that a section rule offers, without its content.
 *
 * @param version of a note; 0 for records that never change
 * @param section the section that would show it
 * @param position its position in the trajectory, for turns
 * @param source its scope, entity or type, for diversity
 * @param bundle key of the items that are included together or not at all, such as a tool call and
 *     its result
 * @param contentHash hash of all of its content that is rendered
 */
public record Candidate(
    SourceKind kind,
    Id id,
    int version,
    String section,
    int priority,
    CandidateScores scores,
    Instant time,
    long position,
    String source,
    Optional<String> bundle,
    String contentHash) {

  public void addToHash(FieldHash.FieldHasher fieldHasher) {
    fieldHasher.text(kind.name()).id(id).number(version).text(section).number(priority);
    scores.addToHash(fieldHasher);
    fieldHasher.time(time).number(position).text(source);
    fieldHasher.each(bundle, FieldHash.FieldHasher::text).text(contentHash);
  }
}
