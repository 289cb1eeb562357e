package dev.caliber.memory.context.render;

import dev.caliber.memory.context.candidate.CandidateContent;
import java.util.Optional;

/**
 * Candidate as shown in the window.
 *
 * @param number of its ledger line
 * @param shortenedText the text shown instead of the complete one
 */
public record WindowItem(int number, CandidateContent content, Optional<String> shortenedText) {
  public static WindowItem of(int number, CandidateContent candidateContent) {
    return new WindowItem(number, candidateContent, Optional.empty());
  }
}
