package dev.caliber.memory.context;

import java.util.List;
import java.util.Optional;

/**
 * How many records a rule offers.
 *
 * @param setting what says so; empty where the rule itself wants no more
 */
record Cap(int records, Optional<String> setting) {
  static final String CANDIDATES = "context.candidate-limit";

  static Cap candidates(int limit) {
    return new Cap(limit, Optional.of(CANDIDATES));
  }

  /** What a setting says, and no more than candidates there may be. */
  static Cap of(int records, String setting, int candidates) {
    return records <= candidates ? new Cap(records, Optional.of(setting)) : candidates(candidates);
  }

  /** What a rule wants, and no more than candidates there may be. */
  static Cap wanted(int records, int candidates) {
    return records <= candidates ? new Cap(records, Optional.empty()) : candidates(candidates);
  }

  /**
   * How many are read, to know what is beyond.
   *
   * @param ahead how many beyond the limit are worth it
   */
  int looked(int ahead) {
    return setting.isPresent() ? records + ahead : records;
  }

  <T> List<T> of(List<T> all) {
    return all.subList(0, Math.min(records, all.size()));
  }
}
