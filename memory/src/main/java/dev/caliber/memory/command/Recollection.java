package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityType;
import java.time.Instant;
import java.util.List;

/**
 * What memory answered.
 *
 * @param method how it searched: {@code index}, or {@code scan} without one or while it is behind
 * @param omitted how many hits did not fit into the tokens asked for
 * @param partial whether a scan has left older records unread, which might answer as well
 */
public record Recollection(List<Hit> hits, String method, int omitted, boolean partial) {
  public Recollection {
    hits = List.copyOf(hits);
  }

  /** One record that answers, with its words as they were at the time asked for. */
  public record Hit(
      EntityType type, Id id, String text, double score, int tokens, Instant createdAt) {}

  public int tokens() {
    return hits.stream().mapToInt(Hit::tokens).sum();
  }
}
