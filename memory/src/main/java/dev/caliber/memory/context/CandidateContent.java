package dev.caliber.memory.context;

/** Candidate with its content. */
record CandidateContent(Candidate candidate, RecordBody body) {
  String bundleKey() {
    return candidate.bundle().orElseGet(() -> candidate.kind() + " " + candidate.id());
  }
}
