package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Role;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What memory answered.
 *
 * @param method how it searched: {@code index}, or {@code scan} without one or while it is behind
 * @param omitted how many hits did not fit into the tokens asked for
 * @param partial whether a scan has left older records unread, which might answer as well
 * @param unembedded how many records of the space have no vector yet, and could be compared by
 *     their words only
 */
public record Recollection(
    List<Hit> hits, String method, int omitted, boolean partial, long unembedded) {
  /** The method of an answer that came from the index. */
  public static final String BY_INDEX = "index";

  public Recollection {
    hits = List.copyOf(hits);
  }

  /**
   * One record that answers, with its words as they were at the time asked for.
   *
   * @param kind a note, a turn or an artifact
   * @param similarity how well it answers, from 0 to 1, for every kind and query alike
   * @param subject the person or thing it belongs to; empty: the whole space
   * @param session the name of the session in which it was said or made
   * @param role who said a turn
   * @param type the type of a note
   * @param why one sentence about how it was found
   */
  public record Hit(
      EntityType kind,
      Id id,
      String text,
      double similarity,
      int tokens,
      Instant createdAt,
      Optional<String> subject,
      Optional<String> session,
      Optional<Role> role,
      Optional<NoteType> type,
      String why) {

    /** With how well it answers, and how it was found. */
    public Hit found(double newSimilarity, String newWhy) {
      return new Hit(
          kind, id, text, newSimilarity, tokens, createdAt, subject, session, role, type, newWhy);
    }
  }

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

  /** With the number of records that could not be compared by meaning yet. */
  public Recollection lacking(long vectors) {
    return new Recollection(hits, method, omitted, partial, vectors);
  }

  public int tokens() {
    return hits.stream().mapToInt(Hit::tokens).sum();
  }
}
