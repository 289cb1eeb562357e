package dev.caliber.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LatestTest {
  private record Said(int time, String words) {}

  @Test
  void theLastAreKeptInTheirOrderAndAllAreCounted() {
    LatestRecords<Integer> latestRecords = new LatestRecords<>(Comparator.naturalOrder(), 3);
    List.of(5, 1, 9, 2, 8, 7, 3, 6, 4, 0).forEach(latestRecords::add);
    assertThat(latestRecords.records()).containsExactly(7, 8, 9);
    assertThat(latestRecords.totalCount()).isEqualTo(10);
    assertThat(latestRecords.records()).containsExactly(7, 8, 9);
  }

  @Test
  void whatIsOfOneTimeStaysAsItCame() {
    LatestRecords<Said> latestRecords = new LatestRecords<>(Comparator.comparingInt(Said::time), 2);
    for (String words : List.of("a", "b", "c", "d", "e", "f")) {
      latestRecords.add(new Said(1, words));
    }
    assertThat(latestRecords.records()).extracting(Said::words).containsExactly("e", "f");
  }

  @Test
  void ofNoneThereAreNone() {
    LatestRecords<Integer> latestRecords = new LatestRecords<>(Comparator.naturalOrder(), 0);
    latestRecords.add(1);
    assertThat(latestRecords.records()).isEmpty();
    assertThat(latestRecords.totalCount()).isEqualTo(1);
  }
}
