package dev.caliber.memory.context;

import java.util.Optional;

/**
 * Candidate as shown in the window.
 *
 * @param number of its ledger line
 * @param shortenedText the text shown instead of the complete one
 */
record WindowItem(int number, CandidateContent content, Optional<String> shortenedText) {
  static WindowItem of(int number, CandidateContent candidateContent) {
    return new WindowItem(number, candidateContent, Optional.empty());
  }
}
