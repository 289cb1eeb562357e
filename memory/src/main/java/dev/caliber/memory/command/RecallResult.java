package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.TurnRole;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Result of a recall.
 *
 * @param method how it searched: {@code index}, or {@code scan} without an index or while it is
 *     behind
 * @param omitted number of hits that did not fit into the tokens of the query
 * @param partial whether a scan left older records unread that might match
 * @param unembedded number of records in the space that have no vector yet and were compared by
 *     words only
 */
public record RecallResult(
    List<RecallHit> hits, String method, int omitted, boolean partial, long unembedded) {
  /** Method of a search in the index. */
  public static final String BY_INDEX = "index";

  public RecallResult {
    hits = List.copyOf(hits);
  }

  /**
   * Record that matches, with its text at the queried time.
   *
   * @param kind a note, a turn or an artifact
   * @param similarity similarity to the query, from 0 to 1, comparable between kinds and queries
   * @param subject the person or thing it belongs to; empty: the whole space
   * @param session name of the session it belongs to
   * @param role role of a turn
   * @param type type of a note
   * @param why one sentence about how it was found
   */
  public record RecallHit(
      EntityType kind,
      Id id,
      String text,
      double similarity,
      int tokens,
      Instant createdAt,
      Optional<String> subject,
      Optional<String> session,
      Optional<TurnRole> role,
      Optional<NoteType> type,
      String why) {

    /** Returns this hit with its similarity and the reason. */
    public RecallHit withMatch(double newSimilarity, String newWhy) {
      return new RecallHit(
          kind, id, text, newSimilarity, tokens, createdAt, subject, session, role, type, newWhy);
    }
  }

  /**
   * Returns the search method in words for people.
   *
   * @param meaning whether the index has an embedding model
   */
  public String describeMethod(boolean meaning) {
    if (!method.equals(BY_INDEX)) {
      return method;
    }
    return meaning ? "words and meaning" : "words";
  }

  /** Returns this result with the number of records that have no vector yet. */
  public RecallResult withUnembedded(long vectors) {
    return new RecallResult(hits, method, omitted, partial, vectors);
  }

  /** Returns why there are no hits; empty if there are some. */
  public Optional<String> explanation() {
    if (!hits.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        omitted > 0
            ? "Records were found, but none of them fits into max_tokens. Raise max_tokens."
            : "Nothing relevant was found: no record that the caller may see is similar enough to the query.");
  }

  public int tokens() {
    return hits.stream().mapToInt(RecallHit::tokens).sum();
  }
}
