package dev.caliber.memory.context;

import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.text.PlainReader;
import java.text.BreakIterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Makes a text fit: the sentences that say most, if those fit, else the first sentences. With more
 * room a shortened text never gets shorter.
 */
final class Shortener {
  private static final String MARK = " […]";

  private final PlainReader reader;

  Shortener(PlainReader reader) {
    this.reader = reader;
  }

  /** A shortened text, and how it was made. */
  record Shortened(String text, Decision decision) {}

  /**
   * The text in at most so many tokens, if it can be.
   *
   * @param cost what a text would take
   * @param least the fewest tokens that are worth it
   */
  Optional<Shortened> fit(
      Content content, boolean compressible, int room, int least, ToIntFunction<String> cost) {
    if (room < least) {
      return Optional.empty();
    }
    String text = content.body().words();
    return Optional.of(compressible)
        .filter(wanted -> wanted)
        .flatMap(_ -> summary(content))
        .filter(made -> isBetween(cost.applyAsInt(made.text()), least, room))
        .or(
            () ->
                beginning(text, room, cost).filter(made -> cost.applyAsInt(made.text()) >= least));
  }

  private static boolean isBetween(int tokens, int least, int room) {
    return tokens >= least && tokens <= room;
  }

  private Optional<Shortened> summary(Content content) {
    String text = content.body().words();
    String made = reader.summarize(List.of(new Passage(content.candidate().id(), "", text))).text();
    return made.isBlank() || made.length() >= text.length()
        ? Optional.empty()
        : Optional.of(new Shortened(made, Decision.COMPRESS));
  }

  /** As many of the first sentences as fit, by halving. */
  private static Optional<Shortened> beginning(String text, int room, ToIntFunction<String> cost) {
    int[] ends = ends(text);
    int fitting = 0;
    int tooMany = ends.length;
    while (fitting + 1 < tooMany) {
      int middle = (fitting + tooMany) / 2;
      if (cost.applyAsInt(cut(text, ends[middle])) <= room) {
        fitting = middle;
      } else {
        tooMany = middle;
      }
    }
    return fitting == 0
        ? Optional.empty()
        : Optional.of(new Shortened(cut(text, ends[fitting]), Decision.TRUNCATE));
  }

  private static String cut(String text, int end) {
    return text.substring(0, end).strip() + MARK;
  }

  /** Where sentences end; first of all 0, and not the end of the text. */
  private static int[] ends(String text) {
    BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
    sentences.setText(text);
    return java.util.stream.IntStream.iterate(
            sentences.first(), end -> end != BreakIterator.DONE, _ -> sentences.next())
        .filter(end -> end < text.length())
        .toArray();
  }
}
