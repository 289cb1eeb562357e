package dev.caliber.kernel;

import static dev.caliber.kernel.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.VectorClock.ClockOrdering;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class VectorClockTest {
  @Test
  void hostsThatDoNotKnowOfEachOtherAreConcurrent() {
    var start = VectorClock.EMPTY.increment("a");
    var left = start.increment("a");
    var right = start.increment("b");
    assertThat(start.compare(left)).isEqualTo(ClockOrdering.BEFORE);
    assertThat(left.compare(start)).isEqualTo(ClockOrdering.AFTER);
    assertThat(left.compare(right)).isEqualTo(ClockOrdering.CONCURRENT);
    assertThat(left.merge(right)).isEqualTo(clock(Map.of("a", 2L, "b", 1L)));
    assertThat(left.counter("b")).isZero();
  }

  @Test
  void aCounterOfZeroIsNone() {
    assertThat(clock(Map.of("a", 0L))).isEqualTo(VectorClock.EMPTY);
  }

  @Test
  void refusesWhatCountsNothing() {
    refused(KernelErrorCode.INVALID_VALUE, () -> clock(Map.of("a", -1L)));
    refused(KernelErrorCode.REQUIRED_FIELD_MISSING, () -> clock(Map.of(" ", 1L)));
    refused(KernelErrorCode.INVALID_VALUE, () -> clock(Map.of("a", Long.MAX_VALUE)).increment("a"));
  }

  @Test
  void doesNotChange() {
    var counters = new TreeMap<>(Map.of("a", 1L));
    var clock = new VectorClock(counters);
    counters.put("b", 1L);
    assertThat(clock.counters()).isEqualTo(Map.of("a", 1L));
    assertThatThrownBy(() -> clock.counters().put("b", 1L))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  private static VectorClock clock(Map<String, Long> counters) {
    return new VectorClock(new TreeMap<>(counters));
  }
}
