package dev.caliber.kernel;

import static dev.caliber.kernel.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TokenEstimateTest {
  private final TokenEstimator estimate = new TokenEstimator(3.5);

  @Test
  @DisplayName("UTL-03: the estimate is the length in UTF-8 over the bytes per token, rounded up")
  void estimatesByBytes() {
    assertThat(estimate.estimate("")).isZero();
    assertThat(estimate.estimate("a")).isEqualTo(1);
    assertThat(estimate.estimate("1234567")).isEqualTo(2);
    assertThat(estimate.estimate("12345678")).isEqualTo(3);
    assertThat(estimate.estimate("Привет")).isEqualTo(4);
    assertThat(estimate.estimate("😀😀")).isEqualTo(3);
  }

  @Test
  @DisplayName("UTL-03: an unpaired surrogate counts three bytes")
  void unpairedSurrogatesCountThree() {
    assertThat(new TokenEstimator(1).estimate("\uD83D")).isEqualTo(3);
    assertThat(new TokenEstimator(1).estimate("\uDE00\uD83D")).isEqualTo(6);
    assertThat(new TokenEstimator(1).estimate("\uD83D\uDE00")).isEqualTo(4);
  }

  @Test
  @DisplayName("UTL-04: text that fits is unchanged")
  void textThatFitsStays() {
    assertThat(estimate.truncate("12345678", 3)).isEqualTo("12345678");
    assertThat(estimate.truncate("", 0)).isEmpty();
  }

  @Test
  @DisplayName("UTL-04: the cut is at the last space that leaves room for the dots")
  void cutsAtTheLastSpace() {
    assertThat(new TokenEstimator(1).truncate("the quick brown fox", 12)).isEqualTo("the quick...");
    assertThat(new TokenEstimator(1).truncate("the quick brown fox", 11)).isEqualTo("the...");
    assertThat(new TokenEstimator(1).truncate(" quick", 5)).isEqualTo(" q...");
  }

  @Test
  @DisplayName("UTL-04: a word too long is cut between code points")
  void longWordsAreCutBetweenCodePoints() {
    assertThat(new TokenEstimator(1).truncate("😀😀😀", 11)).isEqualTo("😀😀...");
    assertThat(new TokenEstimator(1).truncate("😀😀😀", 10)).isEqualTo("😀...");
    assertThat(new TokenEstimator(1).truncate("ПриветПривет", 8)).isEqualTo("Пр...");
  }

  @Test
  @DisplayName("UTL-04: without room for the dots nothing is left")
  void withoutRoomNothingIsLeft() {
    assertThat(new TokenEstimator(1).truncate("12345", 3)).isEqualTo("...");
    assertThat(new TokenEstimator(1).truncate("12345", 2)).isEmpty();
    assertThat(estimate.truncate("12345", 0)).isEmpty();
  }

  @Test
  void refusesWhatMeansNothing() {
    for (double bytes : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      refused(KernelErrorCode.INVALID_VALUE, () -> new TokenEstimator(bytes));
    }
    refused(KernelErrorCode.INVALID_VALUE, () -> estimate.truncate("a", -1));
  }
}
