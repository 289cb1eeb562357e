package dev.caliber.memory.context;

import java.util.Optional;

/** What a rule has beyond its limit: at least so many records. */
record Rest(int least, Optional<Bound> bound) {
  static final Rest NONE = new Rest(0, Optional.empty());

  /** They were counted. */
  static Rest counted(int records, Cap cap) {
    return records == 0 ? NONE : of(records, cap, Optional.of(records));
  }

  /** Nobody has counted further. */
  static Rest atLeast(int records, Cap cap) {
    return of(records, cap, Optional.empty());
  }

  /** Nobody has counted further, and there are no more than this. */
  static Rest between(int least, long most, Cap cap) {
    return of(least, cap, Optional.of((int) Math.min(Integer.MAX_VALUE, Math.max(least, most))));
  }

  private static Rest of(int records, Cap cap, Optional<Integer> most) {
    return cap.setting()
        .map(setting -> new Rest(records, Optional.of(new Bound(setting, most))))
        .orElse(NONE);
  }
}
