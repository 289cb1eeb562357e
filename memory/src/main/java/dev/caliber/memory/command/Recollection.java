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
  /** The method of an answer that came from the index. */
  public static final String BY_INDEX = "index";

  public Recollection {
    hits = List.copyOf(hits);
  }

  /** One record that answers, with its words as they were at the time asked for. */
  public record Hit(
      EntityType type, Id id, String text, double score, int tokens, Instant createdAt) {}

  /**
   * How it searched, as it is told to people.
   *
   * @param meaning whether the index has an embedding model
   */
  public String told(boolean meaning) {
    if (!method.equals(BY_INDEX)) {
      return method;
    }
    return meaning ? "words and meaning" : "words";
  }

  public int tokens() {
    return hits.stream().mapToInt(Hit::tokens).sum();
  }
}
