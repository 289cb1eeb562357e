package dev.caliber.memory.context;

import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Id;
import java.time.Instant;
import java.util.Optional;

/**
 * A record that a rule offers, without its content.
 *
 * @param version of a note; 0 for what never changes
 * @param section the section it would go into
 * @param position its place in its trajectory, for turns
 * @param source what it comes from, for diversity: a scope, an entity, a type
 * @param bundle what has to come with it or not at all, such as a tool call and its result
 * @param contentHash of everything of it that is rendered
 */
public record Candidate(
    SourceKind kind,
    Id id,
    int version,
    String section,
    int priority,
    Scores scores,
    Instant time,
    long position,
    String source,
    Optional<String> bundle,
    String contentHash) {

  void addTo(Hashing.Fields fields) {
    fields.text(kind.name()).id(id).number(version).text(section).number(priority);
    scores.addTo(fields);
    fields.time(time).number(position).text(source);
    fields.each(bundle, Hashing.Fields::text).text(contentHash);
  }
}
