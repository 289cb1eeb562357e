package dev.caliber.memory.context.window;

import java.util.Optional;

/** Records of a rule beyond its limit: at least {@code least} of them. */
public record OmittedCandidates(int least, Optional<ReachedLimit> limit) {
  public static final OmittedCandidates NONE = new OmittedCandidates(0, Optional.empty());

  /** Returns an exact count. */
  public static OmittedCandidates exactly(int records, CandidateLimit candidateLimit) {
    return records == 0 ? NONE : of(records, candidateLimit, Optional.of(records));
  }

  /** Returns a lower bound, where counting stopped. */
  public static OmittedCandidates atLeast(int records, CandidateLimit candidateLimit) {
    return of(records, candidateLimit, Optional.empty());
  }

  /** Returns a lower and an upper bound, where counting stopped. */
  public static OmittedCandidates between(int least, long most, CandidateLimit candidateLimit) {
    return of(
        least,
        candidateLimit,
        Optional.of((int) Math.min(Integer.MAX_VALUE, Math.max(least, most))));
  }

  private static OmittedCandidates of(
      int records, CandidateLimit candidateLimit, Optional<Integer> most) {
    return candidateLimit
        .setting()
        .map(
            setting -> new OmittedCandidates(records, Optional.of(new ReachedLimit(setting, most))))
        .orElse(NONE);
  }
}
