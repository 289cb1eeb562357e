package dev.caliber.memory.context.budget;

import dev.caliber.memory.context.candidate.CandidateContent;
import dev.caliber.memory.context.window.InclusionDecision;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.text.RankedSentences;
import dev.caliber.memory.text.RuleBasedTextAnalyzer;
import java.text.BreakIterator;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Shortens a text to fit: the longest beginning or the most main sentences, whichever is longer.
 * With more room a shortened text never gets shorter.
 */
final class TextShortener {
  private static final String MARK = " […]";
  private static final List<ShorteningMethod> CUTS =
      List.of(ShorteningMethod.SENTENCE, ShorteningMethod.WORD, ShorteningMethod.CHARACTER);

  private final RuleBasedTextAnalyzer reader;
  private final Map<String, RankedSentences> mains = new HashMap<>();

  TextShortener(RuleBasedTextAnalyzer reader) {
    this.reader = reader;
  }

  /** Method of shortening. */
  enum ShorteningMethod {
    MAIN_SENTENCES(InclusionDecision.COMPRESS, "Its main sentences"),
    SENTENCE(InclusionDecision.TRUNCATE, "Cut at the end of a sentence or line"),
    WORD(InclusionDecision.TRUNCATE, "Cut at the end of a word"),
    CHARACTER(InclusionDecision.TRUNCATE, "Cut within a word");

    private final InclusionDecision inclusionDecision;
    private final String words;

    ShorteningMethod(InclusionDecision inclusionDecision, String words) {
      this.inclusionDecision = inclusionDecision;
      this.words = words;
    }

    InclusionDecision decision() {
      return inclusionDecision;
    }

    String description() {
      return words;
    }
  }

  /** Shortened text with its tokens and method. */
  record ShortenedText(String text, int tokens, ShorteningMethod method) {
    InclusionDecision decision() {
      return method.decision();
    }
  }

  /**
   * Returns the text in at most {@code room} tokens, if possible.
   *
   * @param compressible whether sentences may be left out in the middle
   * @param cost the tokens of a text
   * @param least the fewest tokens worth showing
   */
  Optional<ShortenedText> shortenToFit(
      CandidateContent candidateContent,
      boolean compressible,
      int room,
      int least,
      ToIntFunction<String> cost) {
    if (room < least) {
      return Optional.empty();
    }
    Optional<ShortenedText> main =
        compressible ? mainSentences(candidateContent, room, cost) : Optional.empty();
    return Stream.of(main, beginning(candidateContent.body().plainText(), room, least, cost))
        .flatMap(Optional::stream)
        .filter(made -> made.tokens() >= least)
        .reduce((one, other) -> other.tokens() > one.tokens() ? other : one);
  }

  private Optional<ShortenedText> mainSentences(
      CandidateContent candidateContent, int room, ToIntFunction<String> cost) {
    String text = candidateContent.body().plainText();
    RankedSentences main =
        mains.computeIfAbsent(
            candidateContent.bundleKey(),
            _ -> reader.mainSentences(new Passage(candidateContent.candidate().id(), "", text)));
    IntFunction<ShortenedText> making =
        count -> newShortened(main.text(count), ShorteningMethod.MAIN_SENTENCES, cost);
    int enough = 1;
    while (main.count(enough) == enough && making.apply(enough).tokens() <= room) {
      enough *= 2;
    }
    return longestFitting(making, main.count(enough), room)
        .filter(made -> made.text().length() < text.length());
  }

  private static ShortenedText newShortened(
      String text, ShorteningMethod shorteningMethod, ToIntFunction<String> cost) {
    return new ShortenedText(text, cost.applyAsInt(text), shorteningMethod);
  }

  /**
   * Returns the most complete sentences that fit; if that leaves {@code least} tokens unused, the
   * most words; else the most characters.
   */
  private static Optional<ShortenedText> beginning(
      String text, int room, int least, ToIntFunction<String> cost) {
    String head = textHead(text, room, cost);
    return CUTS.stream()
        .map(shorteningMethod -> longestFitting(head, shorteningMethod, room, cost))
        .flatMap(Optional::stream)
        .filter(made -> made.method() == ShorteningMethod.CHARACTER || isEnough(made, room, least))
        .findFirst();
  }

  private static boolean isEnough(ShortenedText made, int room, int least) {
    return made.tokens() >= least && room - made.tokens() < least;
  }

  /**
   * Returns a prefix of twice a size that no longer fits, so that a whole book is not searched for
   * cuts.
   */
  private static String textHead(String text, int room, ToIntFunction<String> cost) {
    long length = Math.max(1, room);
    while (length < text.length() && cost.applyAsInt(prefix(text, length)) <= room) {
      length *= 2;
    }
    return prefix(text, 2 * length);
  }

  /** Returns a prefix that does not split a surrogate pair. */
  private static String prefix(String text, long length) {
    int end = (int) Math.min(text.length(), length);
    boolean within = end < text.length() && Character.isLowSurrogate(text.charAt(end));
    return text.substring(0, within ? end - 1 : end);
  }

  private static Optional<ShortenedText> longestFitting(
      String text, ShorteningMethod shorteningMethod, int room, ToIntFunction<String> cost) {
    int[] ends = cutPositions(text, shorteningMethod);
    return longestFitting(
        count -> newShortened(cut(text, ends[count - 1]), shorteningMethod, cost),
        ends.length,
        room);
  }

  /** Returns the last of the texts from 1 to {@code most} that fits, by binary search. */
  private static Optional<ShortenedText> longestFitting(
      IntFunction<ShortenedText> making, int most, int room) {
    Optional<ShortenedText> longest = Optional.empty();
    int fitting = 0;
    int tooMany = most + 1;
    while (fitting + 1 < tooMany) {
      int middle = (fitting + tooMany) / 2;
      ShortenedText made = making.apply(middle);
      if (made.tokens() <= room) {
        fitting = middle;
        longest = Optional.of(made);
      } else {
        tooMany = middle;
      }
    }
    return longest;
  }

  private static String cut(String text, int end) {
    return text.substring(0, end).strip() + MARK;
  }

  /** Returns the positions where a text may be cut, never within one visible character. */
  private static int[] cutPositions(String text, ShorteningMethod shorteningMethod) {
    TreeSet<Integer> ends = new TreeSet<>(Comparator.naturalOrder());
    BreakIterator borders = breakIterator(shorteningMethod);
    borders.setText(text);
    for (int end = borders.first(); end != BreakIterator.DONE; end = borders.next()) {
      ends.add(end);
    }
    for (int line = text.indexOf('\n'); line >= 0; line = text.indexOf('\n', line + 1)) {
      ends.add(line + 1);
    }
    BreakIterator characters = breakIterator(ShorteningMethod.CHARACTER);
    characters.setText(text);
    return ends.stream()
        .mapToInt(Integer::intValue)
        .filter(end -> end > 0 && end < text.length() && characters.isBoundary(end))
        .toArray();
  }

  private static BreakIterator breakIterator(ShorteningMethod shorteningMethod) {
    return switch (shorteningMethod) {
      case MAIN_SENTENCES, SENTENCE -> BreakIterator.getSentenceInstance(Locale.ROOT);
      case WORD -> BreakIterator.getWordInstance(Locale.ROOT);
      case CHARACTER -> BreakIterator.getCharacterInstance(Locale.ROOT);
    };
  }
}
