package dev.caliber.memory.context;

/** A candidate with what it says. */
record Content(Candidate candidate, Body body) {
  String bundleKey() {
    return candidate.bundle().orElseGet(() -> candidate.kind() + " " + candidate.id());
  }
}
