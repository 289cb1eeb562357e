package dev.caliber.memory.context.window;

import java.util.List;
import java.util.Optional;

/**
 * Number of records that a rule offers.
 *
 * @param setting the setting of the limit; empty if the rule itself sets it
 */
public record CandidateLimit(int records, Optional<String> setting) {
  static final String CANDIDATES = "context.candidate-limit";

  public static CandidateLimit ofTotalLimit(int limit) {
    return new CandidateLimit(limit, Optional.of(CANDIDATES));
  }

  /** Returns the limit of a setting, at most the limit of candidates. */
  public static CandidateLimit of(int records, String setting, int candidates) {
    return records <= candidates
        ? new CandidateLimit(records, Optional.of(setting))
        : ofTotalLimit(candidates);
  }

  /** Returns the limit of a rule, at most the limit of candidates. */
  public static CandidateLimit ofRule(int records, int candidates) {
    return records <= candidates
        ? new CandidateLimit(records, Optional.empty())
        : ofTotalLimit(candidates);
  }

  /**
   * Returns the number of records to read, so that records beyond the limit are known.
   *
   * @param ahead how many records to read beyond the limit
   */
  public int readLimit(int ahead) {
    return setting.isPresent() ? records + ahead : records;
  }

  public <T> List<T> firstRecords(List<T> all) {
    return all.subList(0, Math.min(records, all.size()));
  }
}
