package dev.caliber.memory.context.candidate;

import dev.caliber.memory.context.window.Candidate;

/** Candidate with its content. */
public record CandidateContent(Candidate candidate, RecordBody body) {
  public String bundleKey() {
    return candidate.bundle().orElseGet(() -> candidate.kind() + " " + candidate.id());
  }
}
