package dev.caliber.memory.context;

import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.text.MainSentences;
import dev.caliber.memory.text.PlainReader;
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
 * Makes a text fit: as much of its beginning as there is room for, or as many of the sentences that
 * say most, whichever is more. With more room a shortened text never gets shorter.
 */
final class Shortener {
  private static final String MARK = " […]";
  private static final List<How> CUTS = List.of(How.SENTENCE, How.WORD, How.CHARACTER);

  private final PlainReader reader;
  private final Map<String, MainSentences> mains = new HashMap<>();

  Shortener(PlainReader reader) {
    this.reader = reader;
  }

  /** How a text was made to fit. */
  enum How {
    MAIN_SENTENCES(Decision.COMPRESS, "Its main sentences"),
    SENTENCE(Decision.TRUNCATE, "Cut at the end of a sentence or line"),
    WORD(Decision.TRUNCATE, "Cut at the end of a word"),
    CHARACTER(Decision.TRUNCATE, "Cut within a word");

    private final Decision decision;
    private final String words;

    How(Decision decision, String words) {
      this.decision = decision;
      this.words = words;
    }

    Decision decision() {
      return decision;
    }

    String words() {
      return words;
    }
  }

  /** A shortened text, what it takes, and how it was made. */
  record Shortened(String text, int tokens, How how) {
    Decision decision() {
      return how.decision();
    }
  }

  /**
   * The text in at most so many tokens, if it can be.
   *
   * @param compressible whether sentences may be left out from its midst
   * @param cost what a text would take
   * @param least the fewest tokens that are worth it
   */
  Optional<Shortened> fit(
      Content content, boolean compressible, int room, int least, ToIntFunction<String> cost) {
    if (room < least) {
      return Optional.empty();
    }
    Optional<Shortened> main = compressible ? mainSentences(content, room, cost) : Optional.empty();
    return Stream.of(main, beginning(content.body().words(), room, least, cost))
        .flatMap(Optional::stream)
        .filter(made -> made.tokens() >= least)
        .reduce((one, other) -> other.tokens() > one.tokens() ? other : one);
  }

  private Optional<Shortened> mainSentences(Content content, int room, ToIntFunction<String> cost) {
    String text = content.body().words();
    MainSentences main =
        mains.computeIfAbsent(
            content.bundleKey(),
            _ -> reader.mainSentences(new Passage(content.candidate().id(), "", text)));
    IntFunction<Shortened> making = count -> made(main.text(count), How.MAIN_SENTENCES, cost);
    int enough = 1;
    while (main.count(enough) == enough && making.apply(enough).tokens() <= room) {
      enough *= 2;
    }
    return longest(making, main.count(enough), room)
        .filter(made -> made.text().length() < text.length());
  }

  private static Shortened made(String text, How how, ToIntFunction<String> cost) {
    return new Shortened(text, cost.applyAsInt(text), how);
  }

  /**
   * As many of the first sentences as fit. Where a sentence is so long that more would stay empty
   * than is worth a text, as many words; and where a word is, as many characters.
   */
  private static Optional<Shortened> beginning(
      String text, int room, int least, ToIntFunction<String> cost) {
    String head = head(text, room, cost);
    return CUTS.stream()
        .map(how -> longest(head, how, room, cost))
        .flatMap(Optional::stream)
        .filter(made -> made.how() == How.CHARACTER || isEnough(made, room, least))
        .findFirst();
  }

  private static boolean isEnough(Shortened made, int room, int least) {
    return made.tokens() >= least && room - made.tokens() < least;
  }

  /** Twice what does not fit any more: where to cut is not looked for in a whole book. */
  private static String head(String text, int room, ToIntFunction<String> cost) {
    long length = Math.max(1, room);
    while (length < text.length() && cost.applyAsInt(first(text, length)) <= room) {
      length *= 2;
    }
    return first(text, 2 * length);
  }

  /** Not between the halves of a character. */
  private static String first(String text, long length) {
    int end = (int) Math.min(text.length(), length);
    boolean within = end < text.length() && Character.isLowSurrogate(text.charAt(end));
    return text.substring(0, within ? end - 1 : end);
  }

  private static Optional<Shortened> longest(
      String text, How how, int room, ToIntFunction<String> cost) {
    int[] ends = ends(text, how);
    return longest(count -> made(cut(text, ends[count - 1]), how, cost), ends.length, room);
  }

  /** The last of those from 1 to {@code most} that fits, by halving. */
  private static Optional<Shortened> longest(IntFunction<Shortened> making, int most, int room) {
    Optional<Shortened> longest = Optional.empty();
    int fitting = 0;
    int tooMany = most + 1;
    while (fitting + 1 < tooMany) {
      int middle = (fitting + tooMany) / 2;
      Shortened made = making.apply(middle);
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

  /** Where a text may be cut so, within it; never between the parts of what is read as one. */
  private static int[] ends(String text, How how) {
    TreeSet<Integer> ends = new TreeSet<>(Comparator.naturalOrder());
    BreakIterator borders = borders(how);
    borders.setText(text);
    for (int end = borders.first(); end != BreakIterator.DONE; end = borders.next()) {
      ends.add(end);
    }
    for (int line = text.indexOf('\n'); line >= 0; line = text.indexOf('\n', line + 1)) {
      ends.add(line + 1);
    }
    BreakIterator characters = borders(How.CHARACTER);
    characters.setText(text);
    return ends.stream()
        .mapToInt(Integer::intValue)
        .filter(end -> end > 0 && end < text.length() && characters.isBoundary(end))
        .toArray();
  }

  private static BreakIterator borders(How how) {
    return switch (how) {
      case MAIN_SENTENCES, SENTENCE -> BreakIterator.getSentenceInstance(Locale.ROOT);
      case WORD -> BreakIterator.getWordInstance(Locale.ROOT);
      case CHARACTER -> BreakIterator.getCharacterInstance(Locale.ROOT);
    };
  }
}
