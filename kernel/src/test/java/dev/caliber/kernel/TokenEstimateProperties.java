package dev.caliber.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class TokenEstimateProperties {
  @Property
  @Label("UTL-04: the result's estimate is within the limit, whatever the text")
  void resultIsWithinTheLimit(
      @ForAll("texts") String text,
      @ForAll @IntRange(max = 40) int maxTokens,
      @ForAll @DoubleRange(min = 0.1, max = 20) double bytesPerToken) {
    var estimate = new TokenEstimator(bytesPerToken);
    assertThat(estimate.estimate(estimate.truncate(text, maxTokens)))
        .isLessThanOrEqualTo(maxTokens);
  }

  @Property
  @Label(
      "UTL-04: the result is the text, a beginning of it with dots, or nothing; no pair is split")
  void resultIsABeginning(@ForAll("texts") String text, @ForAll @IntRange(max = 40) int maxTokens) {
    var result = new TokenEstimator(3.5).truncate(text, maxTokens);
    if (result.equals(text) || result.isEmpty()) {
      return;
    }
    assertThat(result).endsWith("...");
    String beginning = result.substring(0, result.length() - 3);
    assertThat(text).startsWith(beginning);
    int end = beginning.length();
    assertThat(text.codePointCount(0, end) + text.codePointCount(end, text.length()))
        .isEqualTo(text.codePointCount(0, text.length()));
  }

  @Property
  @Label(
      "UTL-03: a text is as long as its code points are in UTF-8, halves of pairs alone included")
  void lengthIsThatOfTheCodePoints(@ForAll("texts") String text) {
    assertThat(Utf8.length(text)).isEqualTo(text.codePoints().mapToLong(Utf8::length).sum());
  }

  /** All of Unicode, unpaired surrogates and spaces among it. */
  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> anything =
        Arbitraries.integers().between(0, Character.MAX_CODE_POINT).map(Character::toString);
    Arbitrary<String> likely = Arbitraries.of(" ", "a", "é", "日", "😀", "\uD83D", "\uDE00");
    return Arbitraries.oneOf(anything, likely)
        .list()
        .ofMaxSize(60)
        .map(parts -> String.join("", parts));
  }
}
