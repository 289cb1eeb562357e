package dev.caliber.memory.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.memory.spi.FindingKind;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.text.Contradiction.ContradictionKind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlainReaderTest {
  private static final RuleBasedTextAnalyzer READER =
      RuleBasedTextAnalyzer.of(
          new TextAnalysisSettings(
              3,
              Optional.of(200),
              0.6,
              Arrays.stream(FindingKind.values())
                  .collect(Collectors.toMap(kind -> kind, PlainReaderTest::sure)),
              0.6));

  /** Returns a different confidence for each kind. */
  private static double sure(FindingKind kind) {
    return 1.0 / kind.name().length();
  }

  private static Passage passage(int number, String text) {
    return new Passage(Id.derivedFrom("test", Integer.toString(number)), "user", text);
  }

  @Test
  @DisplayName(
      "J-42: a summary is made of sentences that were said, each with its source, in order")
  void summaryKeepsSources() {
    Passage first = passage(1, "The parser fails on tabs. Nice weather today.");
    Passage second = passage(2, "Tabs make the parser fail because the lexer skips them.");
    Passage third = passage(3, "Let us mend the lexer so that the parser takes tabs.");
    Summary summary = READER.summarize(List.of(first, second, third));
    assertThat(summary.method()).isEqualTo("extractive");
    assertThat(summary.sentences()).hasSizeBetween(1, 3);
    for (Summary.SummarySentence summarySentence : summary.sentences()) {
      Passage source =
          List.of(first, second, third).stream()
              .filter(passage -> passage.source().equals(summarySentence.source()))
              .findFirst()
              .orElseThrow();
      assertThat(source.text()).contains(summarySentence.text());
    }
    assertThat(summary.text()).doesNotContain("weather");
    assertThat(READER.summarize(List.of(first, second, third))).isEqualTo(summary);
  }

  @Test
  void summaryOfNothingIsEmptyAndRepetitionsAreSaidOnce() {
    assertThat(READER.summarize(List.of()).sentences()).isEmpty();
    List<Passage> same =
        IntStream.range(0, 20).mapToObj(i -> passage(i, "The build is red again.")).toList();
    assertThat(READER.summarize(same).sentences()).hasSize(1);
  }

  @Test
  @DisplayName("J-42: a line without an end does not make a summary without one")
  void summaryIsBounded() {
    String line = "The sensor of hall 7 reads 21.5 degrees; ".repeat(5000).strip();
    String json = "{\"values\":[" + "1234567,".repeat(50_000) + "0]}";
    String word = "x".repeat(100_000);
    String emoji = "👍".repeat(100_000);
    String chinese = "今天北京的天气很好，".repeat(10_000);
    for (String text : List.of(line, json, word, emoji, chinese)) {
      Summary.SummarySentence said =
          READER.summarize(List.of(passage(1, text))).sentences().getFirst();
      assertThat(said.text().codePointCount(0, said.text().length())).isBetween(150, 200);
      assertThat(said.text()).endsWith("…");
      String kept = said.text().substring(0, said.text().length() - 1);
      assertThat(text).startsWith(kept);
      assertThat(kept.charAt(kept.length() - 1)).matches(last -> !Character.isHighSurrogate(last));
      assertThat(said.source()).isEqualTo(passage(1, text).source());
    }
    assertThat(READER.summarize(List.of(passage(1, line))).text()).matches("(?s).*\\b…");
    String fits = "a".repeat(199) + ".";
    assertThat(READER.summarize(List.of(passage(1, fits))).text()).isEqualTo(fits);
  }

  @Test
  void findsErrors() {
    String trace =
        "java.lang.IllegalStateException: no hay\n\tat a.B.c(B.java:1)\n\tat a.D.e(D.java:2)";
    assertThat(READER.findings("It broke:\n" + trace + "\nWhat now?"))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.kind()).isEqualTo(FindingKind.ERROR);
              assertThat(found.text()).isEqualTo(trace);
              assertThat(found.confidence()).isEqualTo(sure(FindingKind.ERROR));
            });
    assertThat(
            READER.findings(
                "Traceback (most recent call last):\n  File \"x.py\", line 1\nKeyError: 'a'"))
        .extracting(TextFinding::rule)
        .containsExactly("TRACEBACK");
    assertThat(READER.findings("error: cannot find symbol"))
        .extracting(TextFinding::kind)
        .containsExactly(FindingKind.ERROR);
  }

  @Test
  void findsCodeOnceThoughADiffStandsInAFence() {
    String diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n";
    assertThat(READER.findings("```diff\n" + diff + "```"))
        .extracting(TextFinding::kind)
        .containsExactly(FindingKind.CODE_PATCH);
    assertThat(READER.findings("See:\n```java\nint x = 1;\n```\nok"))
        .extracting(TextFinding::text)
        .containsExactly("```java\nint x = 1;\n```");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          We decided to use SQLite.            | DECISION
          Let's go with plan B for now.        | DECISION
          I prefer tea over coffee.            | PREFERENCE
          She hates long meetings.             | PREFERENCE
          The file must not exceed 5 MB.       | CONSTRAINT
          Passwords are not allowed in logs.   | CONSTRAINT
          """)
  void findsSentences(String text, FindingKind kind) {
    assertThat(READER.findings("Hello there. " + text))
        .singleElement()
        .isEqualTo(new TextFinding(kind, text, rule(kind), sure(kind)));
  }

  private static String rule(FindingKind kind) {
    return switch (kind) {
      case DECISION -> "DECIDED";
      case PREFERENCE -> "LIKES";
      case CONSTRAINT -> "MUST";
      case ERROR, CODE_PATCH, FACT -> throw new AssertionError("not a sentence");
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Do you prefer tea?
          What must I do?
          The weather is fine.
          """)
  void questionsAndSmallTalkStateNothing(String text) {
    assertThat(READER.findings(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          I have never used Zotero.                    | I used Zotero for my essay.                   | NEGATION
          I've never written any Flask routes.         | I'm implementing the homepage route with Flask. | NEGATION
          Alice does not eat meat.                     | Alice eats meat on Sundays.                   | NEGATION
          The team has 5 members.                      | The team has 8 members.                       | NUMBER
          Test coverage of the module is 78%.          | Test coverage of the module is 85%.           | NUMBER
          The deadline of the sprint is April 5.       | The deadline of the sprint is April 12.       | DATE
          The meeting is on Monday.                    | The meeting is on Friday.                     | DATE
          The feature flag is enabled.                 | The feature flag is disabled.                 | STATE
          The server is up.                            | The server is down.                           | STATE
          The porch light was switched on.             | The porch light was switched off.             | STATE
          Bob lives in Paris.                          | Bob lives in Rome.                            | VALUE
          Alice's favourite colour is blue.            | Alice's favourite colour is green.            | VALUE
          I am vegetarian.                             | I'm not vegetarian.                           | NEGATION
          I like coffee a lot.                         | I don't like coffee.                          | NEGATION
          I have a dog.                                | I have no dog.                                | NEGATION
          I can swim.                                  | I can't swim.                                 | NEGATION
          The port is 80.                              | The port is 90.                               | NUMBER
          Meeting at 10:00.                            | Meeting at 11:00.                             | DATE
          """)
  void seesContradictions(String one, String other, ContradictionKind contradictionKind) {
    assertThat(READER.findContradiction(other, one))
        .map(Contradiction::kind)
        .contains(contradictionKind);
    ContradictionKind turned = one.contains("never") ? ContradictionKind.CHANGE : contradictionKind;
    assertThat(READER.findContradiction(one, other)).map(Contradiction::kind).contains(turned);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          I'm trying to understand Flask routes.       | I've never written any Flask routes.
          I think I'll start with Flask routes.        | I've never written any Flask routes.
          I'm worried about my resume.                 | I'm worried that my resume won't be ready.
          Take a triangle with sides 5 cm.             | Take a triangle with sides 8 cm.
          The first sprint ends on May 3.              | The second sprint ends on May 17.
          The plan might not work on Windows.          | The plan works on Windows.
          That's why the build is slow.                | That's why the build is red.
          """)
  void tryingFearingAndOtherOnesAreNoContradiction(String one, String other) {
    assertThat(READER.findContradiction(one, other)).isEqualTo(Optional.empty());
    assertThat(READER.findContradiction(other, one)).isEqualTo(Optional.empty());
  }

  @Test
  void aSentenceMayContradictItself() {
    String text =
        "I've never attempted any classification problems, but I recently completed 15"
            + " classification problems.";
    assertThat(READER.findContradiction(text, text))
        .map(Contradiction::kind)
        .contains(ContradictionKind.NEGATION);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Alice likes tea.                             | Alice likes hiking.
          I have never used Zotero.                    | I have never used Zotero or Mendeley.
          The team has 5 members.                      | The office has 8 rooms.
          Bob lives in Paris.                          | Bob works at Acme.
          The build is green.                          | The deploy takes 5 minutes.
          The meeting is on Monday.                    | The dinner with Carol is on Friday.
          Alice is tall.                               | Alice is a doctor.
          I have coffee.                               | I don't like coffee.
          I am vegetarian.                             | She is not vegetarian.
          I like coffee.                               | I don't like tea.
          It is 80.                                    | It is 90.
          The port is 80.                              | The timeout is 90.
          Meeting at 10:00.                            | Lunch at 11:00.
          """)
  void seesNoneWhereThereIsNone(String one, String other) {
    assertThat(READER.findContradiction(one, other)).isEqualTo(Optional.empty());
    assertThat(READER.findContradiction(other, one)).isEqualTo(Optional.empty());
  }

  @Test
  void hostileTextsTakeNoTimeAndNoStack() {
    for (String piece :
        List.of(
            "a-",
            "```\n",
            "at x\n\t",
            "my is ",
            "I never ",
            "1,",
            "--- a\n",
            "Error\n at ",
            "\n",
            " ",
            "\t\n",
            "Error ",
            "ERROR: x\n",
            "x or ",
            ". ",
            "'")) {
      String text = piece.repeat(50_000);
      READER.findings(text);
      READER.findContradiction(text, text);
      READER.summarize(List.of(passage(1, text)));
    }
  }

  @Test
  void aLongBlockIsOneFinding() {
    String trace = "java.lang.Error: x" + "\n\tat a.B.c(B.java:1)".repeat(50_000);
    String traceback =
        "Traceback (most recent call last):\n" + "  File x\n".repeat(50_000) + "KeyError: 1";
    String diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n" + "+new\n".repeat(50_000).strip();
    for (String block : List.of(trace, traceback, diff)) {
      assertThat(READER.findings(block)).extracting(TextFinding::text).containsExactly(block);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          I know C++.                          | I know C#.                      | false
          Alice is Bob's manager.              | Bob is Alice's manager.         | false
          The train is from Paris to London.   | The train is from London to Paris. | false
          It takes 1,000 requests.             | It takes 2,000 requests.        | false
          👍                                   | 👎                              | false
          He gave her the book.                | She gave him the book.          | false
          The user prefers window seats.       | The user prefers window seat!   | true
          Alice has a dog.                     | Alice has a small dog.          | true
          我喜欢喝茶。                          | 我喜欢喝茶吗？                    | false
          我喜欢喝茶。                          | 我不喜欢喝茶。                    | false
          我喜欢喝茶。                          | 我喜欢喝茶。我住在北京。           | true
          👍️                                  | 👎️                             | false
          """)
  void aLongerWordingHasEveryWordInItsPlace(String one, String other, boolean contained) {
    assertThat(READER.isWordSubsequence(one, other)).isEqualTo(contained);
    assertThat(READER.isWordSubsequence(other, one)).isEqualTo(contained);
  }

  @ParameterizedTest
  @CsvSource({
    "files,file",
    "used,using",
    "implementing,implement",
    "planned,plan",
    "written,write",
    "libraries,library",
    "problems,problem",
    "integrated,integrate"
  })
  void oneFormForEndings(String one, String other) {
    assertThat(WordTokenizer.stem(one)).isEqualTo(WordTokenizer.stem(other));
  }
}
