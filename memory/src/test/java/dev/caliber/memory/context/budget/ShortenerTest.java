package dev.caliber.memory.context.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.memory.context.candidate.CandidateContent;
import dev.caliber.memory.context.candidate.RecordBody;
import dev.caliber.memory.context.window.Candidate;
import dev.caliber.memory.context.window.CandidateScores;
import dev.caliber.memory.context.window.InclusionDecision;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.text.RuleBasedTextAnalyzer;
import dev.caliber.memory.view.MemoryConfig;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shortening of texts; a token is a character here. */
public final class ShortenerTest {
  private static final String MARK = " […]";

  /** Sentences on different topics, so that a summary has every allowed sentence. */
  public static final List<String> SENTENCES =
      List.of(
          "The harbour of Bergen was full of fishing boats when the first snow of the year fell.",
          "Our printer refuses coloured paper since a person has fed it with labels for jam jars.",
          "Quarterly taxes are due on Monday, and the accountant wants every receipt in one folder.",
          "Grandmother plays chess against a neighbour by letter, three moves each month, for years.",
          "A leaking roof ruined eleven old maps which the library had borrowed from Lisbon.",
          "Those wanting to see the comet must climb the northern hill before four in the morning.",
          "The baker swapped rye against spelt, so queues on Saturdays reach the railway bridge.",
          "My cousin repairs violins, though glue and varnish make him sneeze all winter long.",
          "Elections for the village council ended in a tie between a teacher and a beekeeper.",
          "Police found out why both lifts stopped at noon while lamps and radios kept working.",
          "Twelve students translated a poem about rivers into Finnish without any dictionary.",
          "Rain delayed the marathon, and volunteers handed soup instead of water to the runners.");

  private static final String TEXT = String.join(" ", SENTENCES);
  private static final int LEAST = 60;

  private final TextShortener textShortener =
      new TextShortener(RuleBasedTextAnalyzer.of(MemoryConfig.starter().text()));

  private static CandidateContent content(String text) {
    RecordBody recordBody = RecordBody.ofText(text, new TreeMap<>(), Optional.empty());
    return new CandidateContent(
        new Candidate(
            SourceKind.NOTE,
            Id.derivedFrom("test", text),
            0,
            "notes",
            50,
            CandidateScores.of(1, 1),
            Instant.EPOCH,
            0,
            "test",
            Optional.empty(),
            recordBody.hash()),
        recordBody);
  }

  private Optional<TextShortener.ShortenedText> fit(String text, boolean compressible, int room) {
    return textShortener.shortenToFit(content(text), compressible, room, LEAST, String::length);
  }

  @Test
  @DisplayName("CTX-17, J-33: prose is compressed to whole sentences of its own, in their order")
  void proseIsCompressed() {
    List<TextShortener.ShortenedText> compressed =
        IntStream.range(LEAST, TEXT.length())
            .mapToObj(room -> fit(TEXT, true, room))
            .flatMap(Optional::stream)
            .filter(made -> made.decision() == InclusionDecision.COMPRESS)
            .toList();
    assertThat(compressed)
        .isNotEmpty()
        .allSatisfy(
            made ->
                assertThat(SENTENCES)
                    .containsSubsequence(RuleBasedTextAnalyzer.sentences(made.text())));
    assertThat(compressed.getLast().text().length())
        .as("more than a fixed number of sentences")
        .isGreaterThan(TEXT.length() / 2);
  }

  @Test
  @DisplayName("CTX-17: what is shortened takes the room that there is, but for a sentence")
  void theRoomIsUsed() {
    int longest = SENTENCES.stream().mapToInt(String::length).max().orElseThrow();
    for (boolean compressible : new boolean[] {true, false}) {
      for (int room = 2 * longest; room < TEXT.length(); room++) {
        int made = fit(TEXT, compressible, room).orElseThrow().text().length();
        assertThat(room - made).isBetween(0, longest + MARK.length());
      }
    }
  }

  @Test
  @DisplayName("CTX-17: lines end what is said as sentences do")
  void linesAreEnds() {
    String trace = "java.lang.Error: full\n" + "\tat a.b.C.run(C.java:12)\n".repeat(40);
    TextShortener.ShortenedText made = fit(trace, false, 300).orElseThrow();
    assertThat(made.text())
        .hasSizeBetween(250, 300)
        .startsWith("java.lang.Error: full\n\tat a.b.C.run(C.java:12)\n\tat")
        .endsWith("(C.java:12)" + MARK);
  }

  @Test
  @DisplayName("CTX-17: what may not be compressed is cut at a sentence's end, and says so")
  void artifactsAreCut() {
    for (int room = LEAST; room < TEXT.length(); room++) {
      Optional<String> sentences = beginning(room);
      TextShortener.ShortenedText made = fit(TEXT, false, room).orElseThrow();
      assertThat(made.decision()).isEqualTo(InclusionDecision.TRUNCATE);
      if (sentences.map(String::length).orElse(0) > room - LEAST) {
        assertThat(made.text()).isEqualTo(sentences.orElseThrow());
      } else {
        assertThat(made.method())
            .as("a sentence is too long")
            .isEqualTo(TextShortener.ShorteningMethod.WORD);
        String words = made.text().substring(0, made.text().length() - MARK.length());
        assertThat(TEXT).startsWith(words);
        assertThat(TEXT.substring(words.length())).containsPattern("^[ ,.]");
      }
    }
  }

  /** Returns the most sentences from the beginning that fit, with the mark. */
  private static Optional<String> beginning(int room) {
    Optional<String> longest = Optional.empty();
    for (int count = 1; count < SENTENCES.size(); count++) {
      String cut = String.join(" ", SENTENCES.subList(0, count)) + MARK;
      longest = cut.length() <= room ? Optional.of(cut) : longest;
    }
    return longest;
  }

  @Test
  @DisplayName("CTX-17: prose comes as whatever is more; with more room it never gets shorter")
  void compressedOrCut() {
    int before = 0;
    for (int room = 0; room < TEXT.length(); room++) {
      int now = fit(TEXT, true, room).map(made -> made.text().length()).orElse(0);
      int cut = fit(TEXT, false, room).map(made -> made.text().length()).orElse(0);
      assertThat(now).isGreaterThanOrEqualTo(before).isLessThanOrEqualTo(room);
      assertThat(now).isGreaterThanOrEqualTo(cut);
      before = now;
    }
  }

  @Test
  @DisplayName("CTX-17, QUAL-05: what is not worth it is not shortened")
  void notWorthIt() {
    assertThat(fit(TEXT, true, LEAST - 1)).isEmpty();
    String words = "One sentence without an end " + "and so on ".repeat(50);
    assertThat(fit(words, false, LEAST - 1)).isEmpty();
  }

  @Test
  @DisplayName("CTX-17: what has no sentences is cut between words, what has no words within one")
  void withoutBorders() {
    String words = "One sentence without an end " + "and so on ".repeat(50);
    assertThat(fit(words, false, 200).orElseThrow().text())
        .hasSizeBetween(190, 200)
        .endsWith(" on and so […]");
    String yes = "Yes. " + "no word is like the next one in here, ".repeat(50);
    assertThat(fit(yes, false, 100).orElseThrow().text())
        .as("its first sentence is too short")
        .hasSizeBetween(90, 100);
    assertThat(fit("x".repeat(20_000), false, 500).orElseThrow().text())
        .isEqualTo("x".repeat(500 - MARK.length()) + MARK);
    String japanese = "吾輩は猫である名前はまだ無い".repeat(60);
    assertThat(fit(japanese, false, 300).orElseThrow().text())
        .hasSizeBetween(250, 300)
        .startsWith("吾輩は猫である")
        .endsWith(MARK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\ud83d\ude42", "e\u0301", "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67"})
  @DisplayName("CTX-17: what is read as one character is never cut in two")
  void charactersStayWhole(String character) {
    String text = character.repeat(400);
    for (int room = 100; room < 130; room++) {
      String made = fit(text, false, room).orElseThrow().text();
      String kept = made.substring(0, made.length() - MARK.length());
      assertThat(kept).isEqualTo(character.repeat(kept.length() / character.length()));
      assertThat(made.length()).isBetween(room - character.length(), room);
    }
  }

  @Test
  @DisplayName("CTX-09: a question before a blob is shown with as much of the blob as fits")
  void aShortSentenceBeforeALongOne() {
    String text = "Why does it fail? " + "x=1;y=2 ".repeat(500);
    for (int room = LEAST; room < 3 * LEAST; room++) {
      int most = room;
      assertThat(textShortener.shortenToFit(content(text), false, room, LEAST, String::length))
          .as("room %d", room)
          .hasValueSatisfying(
              made -> assertThat(made.tokens()).isBetween(Math.max(LEAST, most - LEAST), most));
    }
  }

  @Test
  @DisplayName("CTX-09: where a text is cut does not depend on how much comes later")
  void cutsOfABook() {
    for (int room : new int[] {LEAST, 200, 900}) {
      assertThat(
              textShortener.shortenToFit(
                  content(TEXT + " " + "z".repeat(200_000)), false, room, LEAST, String::length))
          .isEqualTo(
              textShortener.shortenToFit(
                  content(TEXT + " " + "z".repeat(2_000)), false, room, LEAST, String::length));
    }
  }
}
