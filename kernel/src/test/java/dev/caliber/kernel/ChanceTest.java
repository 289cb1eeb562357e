package dev.caliber.kernel;

import static dev.caliber.kernel.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChanceTest {
  @Test
  void aSeedGivesTheRecordedSequence() {
    var randomSource = RandomSource.seeded(1234567);
    assertThat(randomSource.nextLong()).isEqualTo(6457827717110365317L);
    assertThat(randomSource.nextLong()).isEqualTo(3203168211198807973L);
    assertThat(randomSource.nextLong()).isEqualTo(-8629252141511181193L);
  }

  @Test
  void everyKindOfValueIsFixedByTheSeed() {
    assertThat(RandomSource.seeded(7).nextInt(100)).isEqualTo(38);
    assertThat(RandomSource.seeded(7).nextDouble()).isEqualTo(0.3898297483912715);
    var bytes = new byte[10];
    RandomSource.seeded(7).nextBytes(bytes);
    assertThat(HexFormat.of().formatHex(bytes))
        .startsWith("d70d3259e4e1cb63")
        .doesNotEndWith("0000");
  }

  @Test
  void valuesStayWithinTheirBounds() {
    for (long extreme : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      RandomSource randomSource = () -> extreme;
      assertThat(randomSource.nextInt(3)).isBetween(0, 2);
      assertThat(randomSource.nextInt(1)).isZero();
      assertThat(randomSource.nextInt(Integer.MAX_VALUE)).isBetween(0, Integer.MAX_VALUE - 1);
      assertThat(randomSource.nextDouble()).isGreaterThanOrEqualTo(0).isLessThan(1);
    }
    refused(KernelErrorCode.INVALID_VALUE, () -> RandomSource.seeded(1).nextInt(0));
  }

  @Test
  void theSystemGivesDifferentValues() {
    var randomSource = RandomSource.system();
    assertThat(Stream.generate(randomSource::nextLong).limit(1000)).doesNotHaveDuplicates();
  }
}
