package dev.caliber.store.search.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Share of a text that asks. */
class QuestionsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "I went to the museum.|0",
        "How have you been?|1",
        "Good. And you, my dear?|0.75",
        "What? Nothing at all|0.29"
      })
  void theShareIsThatOfSentencesWithAQuestionMark(String text, double share) {
    assertThat(QuestionDetector.questionShare(text)).isCloseTo(share, within(0.03));
  }
}
