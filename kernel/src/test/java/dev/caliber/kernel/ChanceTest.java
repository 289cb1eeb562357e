package dev.caliber.kernel;

import static dev.caliber.kernel.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChanceTest {
  @Test
  void aSeedGivesTheRecordedSequence() {
    var chance = Chance.seeded(1234567);
    assertThat(chance.nextLong()).isEqualTo(6457827717110365317L);
    assertThat(chance.nextLong()).isEqualTo(3203168211198807973L);
    assertThat(chance.nextLong()).isEqualTo(-8629252141511181193L);
  }

  @Test
  void everyKindOfValueIsFixedByTheSeed() {
    assertThat(Chance.seeded(7).nextInt(100)).isEqualTo(38);
    assertThat(Chance.seeded(7).nextDouble()).isEqualTo(0.3898297483912715);
    var bytes = new byte[10];
    Chance.seeded(7).nextBytes(bytes);
    assertThat(HexFormat.of().formatHex(bytes))
        .startsWith("d70d3259e4e1cb63")
        .doesNotEndWith("0000");
  }

  @Test
  void valuesStayWithinTheirBounds() {
    for (long extreme : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      Chance chance = () -> extreme;
      assertThat(chance.nextInt(3)).isBetween(0, 2);
      assertThat(chance.nextInt(1)).isZero();
      assertThat(chance.nextInt(Integer.MAX_VALUE)).isBetween(0, Integer.MAX_VALUE - 1);
      assertThat(chance.nextDouble()).isGreaterThanOrEqualTo(0).isLessThan(1);
    }
    refused(KernelErrorCode.INVALID_VALUE, () -> Chance.seeded(1).nextInt(0));
  }

  @Test
  void theSystemGivesDifferentValues() {
    var chance = Chance.system();
    assertThat(Stream.generate(chance::nextLong).limit(1000)).doesNotHaveDuplicates();
  }
}
