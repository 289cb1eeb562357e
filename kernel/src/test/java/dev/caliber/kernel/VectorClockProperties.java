package dev.caliber.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.VectorClock.ClockOrdering;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class VectorClockProperties {
  @Property
  void orderIsReflexiveAndAntisymmetric(
      @ForAll("clocks") VectorClock a, @ForAll("clocks") VectorClock b) {
    assertThat(a.compare(a)).isEqualTo(ClockOrdering.EQUAL);
    assertThat(a.compare(b) == ClockOrdering.EQUAL).isEqualTo(a.equals(b));
    assertThat(b.compare(a))
        .isEqualTo(
            switch (a.compare(b)) {
              case BEFORE -> ClockOrdering.AFTER;
              case AFTER -> ClockOrdering.BEFORE;
              case EQUAL -> ClockOrdering.EQUAL;
              case CONCURRENT -> ClockOrdering.CONCURRENT;
            });
  }

  @Property
  void orderIsTransitive(
      @ForAll("clocks") VectorClock a,
      @ForAll("clocks") VectorClock b,
      @ForAll("clocks") VectorClock c) {
    if (isWithin(a, b) && isWithin(b, c)) {
      assertThat(isWithin(a, c)).isTrue();
    }
  }

  @Property
  void aTickIsLater(@ForAll("clocks") VectorClock a, @ForAll("hosts") String host) {
    assertThat(a.compare(a.increment(host))).isEqualTo(ClockOrdering.BEFORE);
    assertThat(a.increment(host).counter(host)).isEqualTo(a.counter(host) + 1);
  }

  @Property
  @Label("MERGE-10: merging clocks is commutative, associative and idempotent")
  void mergeObeysItsLaws(
      @ForAll("clocks") VectorClock a,
      @ForAll("clocks") VectorClock b,
      @ForAll("clocks") VectorClock c) {
    assertThat(a.merge(b)).isEqualTo(b.merge(a));
    assertThat(a.merge(b).merge(c)).isEqualTo(a.merge(b.merge(c)));
    assertThat(a.merge(a)).isEqualTo(a);
    assertThat(a.merge(VectorClock.EMPTY)).isEqualTo(a);
  }

  @Property
  void mergeIsTheLeastUpperBound(
      @ForAll("clocks") VectorClock a,
      @ForAll("clocks") VectorClock b,
      @ForAll("clocks") VectorClock c) {
    var merged = a.merge(b);
    assertThat(isWithin(a, merged)).isTrue();
    assertThat(isWithin(b, merged)).isTrue();
    if (isWithin(a, c) && isWithin(b, c)) {
      assertThat(isWithin(merged, c)).isTrue();
    }
  }

  @Provide
  Arbitrary<String> hosts() {
    return Arbitraries.of("a", "b", "c");
  }

  @Provide
  Arbitrary<VectorClock> clocks() {
    return Arbitraries.maps(hosts(), Arbitraries.longs().between(0, 2))
        .map(counters -> new VectorClock(new TreeMap<>(counters)));
  }

  private static boolean isWithin(VectorClock a, VectorClock b) {
    return switch (a.compare(b)) {
      case BEFORE, EQUAL -> true;
      case AFTER, CONCURRENT -> false;
    };
  }
}
