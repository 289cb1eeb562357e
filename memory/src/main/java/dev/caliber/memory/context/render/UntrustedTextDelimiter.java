package dev.caliber.memory.context.render;

import dev.caliber.kernel.FieldHash;
import dev.caliber.memory.context.candidate.CandidateContent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Delimiter lines around untrusted text. The mark is derived from the time, the query and the
 * candidates of a window, so that the window can be replayed, and it never occurs in the text: the
 * writer of a record cannot end the block that contains it.
 *
 * @param inputs the hash of the inputs
 */
public record UntrustedTextDelimiter(String inputs) {
  private static final int LENGTH = 16;

  static UntrustedTextDelimiter of(
      Instant at, Optional<String> query, List<CandidateContent> ordered) {
    return new UntrustedTextDelimiter(
        FieldHash.fieldHasher("fence")
            .time(at)
            .each(query, FieldHash.FieldHasher::text)
            .each(
                ordered,
                (fieldHasher, candidateContent) ->
                    candidateContent.candidate().addToHash(fieldHasher))
            .hash());
  }

  /** Returns the first mark that does not occur in the text. */
  public String unusedMark(String text) {
    int place = 0;
    String mark = markAt(place);
    while (text.contains(mark)) {
      place++;
      mark = markAt(place);
    }
    return mark;
  }

  private String markAt(int place) {
    return FieldHash.fieldHasher("mark").text(inputs).number(place).hash().substring(0, LENGTH);
  }
}
