package dev.caliber.memory.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.memory.spi.FindingKind;
import dev.caliber.memory.view.MemoryConfig;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements of users about themselves, and texts that only resemble them. */
final class StatementTest {
  private final RuleBasedTextAnalyzer reader =
      RuleBasedTextAnalyzer.of(MemoryConfig.starter().text());

  @ParameterizedTest
  @DisplayName("statements that a later conversation needs are found, by their kind")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          I live in Lyon near the old town. | FACT
          I'm allergic to peanuts. | FACT
          I am a nurse at the city hospital. | FACT
          I’m working as a teacher. | FACT
          My sister Ana is getting married in June. | FACT
          Our dog's name is Rex. | FACT
          I have two cats. | FACT
          By the way, my office moved to Berlin. | FACT
          Please remember that the door code is 4711. | FACT
          Remember: the rent is due on the third. | FACT
          I was born in 1987. | FACT
          I prefer window seats. | PREFERENCE
          We decided to use PostgreSQL. | DECISION
          The report must not be longer than two pages. | CONSTRAINT
          """)
  void found(String text, FindingKind kind) {
    assertThat(reader.statements(text))
        .singleElement()
        .extracting(TextFinding::kind)
        .isEqualTo(kind);
  }

  @ParameterizedTest
  @DisplayName("moods, questions and small talk are no statements")
  @ValueSource(
      strings = {
        "I'm sorry to hear that.",
        "I'm not sure about the second one.",
        "I am looking for a hotel.",
        "I have a question about my invoice.",
        "My question is simple.",
        "Where do I live?",
        "I like it.",
        "Great, thanks.",
        "Can you remember that?",
        "So what is next."
      })
  void notFound(String text) {
    assertThat(reader.statements(text)).isEmpty();
  }
}
