package dev.caliber.kernel;

import static dev.caliber.kernel.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.VectorClock.Ordering;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class VectorClockTest {
  @Test
  void hostsThatDoNotKnowOfEachOtherAreConcurrent() {
    var start = VectorClock.EMPTY.tick("a");
    var left = start.tick("a");
    var right = start.tick("b");
    assertThat(start.compare(left)).isEqualTo(Ordering.BEFORE);
    assertThat(left.compare(start)).isEqualTo(Ordering.AFTER);
    assertThat(left.compare(right)).isEqualTo(Ordering.CONCURRENT);
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
    refused(KernelErrorCode.INVALID_VALUE, () -> clock(Map.of("a", Long.MAX_VALUE)).tick("a"));
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
