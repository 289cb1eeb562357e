package dev.caliber.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LatestTest {
  private record Said(int time, String words) {}

  @Test
  void theLastAreKeptInTheirOrderAndAllAreCounted() {
    Latest<Integer> latest = new Latest<>(Comparator.naturalOrder(), 3);
    List.of(5, 1, 9, 2, 8, 7, 3, 6, 4, 0).forEach(latest::add);
    assertThat(latest.records()).containsExactly(7, 8, 9);
    assertThat(latest.all()).isEqualTo(10);
    assertThat(latest.records()).containsExactly(7, 8, 9);
  }

  @Test
  void whatIsOfOneTimeStaysAsItCame() {
    Latest<Said> latest = new Latest<>(Comparator.comparingInt(Said::time), 2);
    for (String words : List.of("a", "b", "c", "d", "e", "f")) {
      latest.add(new Said(1, words));
    }
    assertThat(latest.records()).extracting(Said::words).containsExactly("e", "f");
  }

  @Test
  void ofNoneThereAreNone() {
    Latest<Integer> latest = new Latest<>(Comparator.naturalOrder(), 0);
    latest.add(1);
    assertThat(latest.records()).isEmpty();
    assertThat(latest.all()).isEqualTo(1);
  }
}
