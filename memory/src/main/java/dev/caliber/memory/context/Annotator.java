package dev.caliber.memory.context;

import dev.caliber.memory.context.Annotation.Claim;
import dev.caliber.memory.context.Annotation.Source;
import dev.caliber.memory.context.Annotation.Standing;
import dev.caliber.memory.text.WordSets;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Maps the citations of an answer back to records. */
final class Annotator {
  private static final String CITED = "\\[(\\d{1,9}(?:\\s*,\\s*\\d{1,9})*)]";

  /** Not directly behind a word, where it is an index. */
  private static final Pattern CITATION = Pattern.compile("(?<![\\w\\]])" + CITED);

  private static final Pattern LEADING = Pattern.compile("^\\s*(?:" + CITED + "\\s*[.,;]?\\s*)+");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?(?:```|\\z)|`[^`\n]*`");
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private final double support;

  /**
   * @param support which share of a claim's words a record must have to stand behind it
   */
  Annotator(double support) {
    this.support = support;
  }

  Annotation annotate(Window window, List<Content> contents, String answer) {
    List<Shown> shown = shown(window, contents);
    return new Annotation(
        sentences(answer).stream().map(sentence -> claim(window, shown, sentence)).toList());
  }

  private record Shown(Source source, Set<String> words) {}

  private static List<Shown> shown(Window window, List<Content> contents) {
    List<Shown> shown = new ArrayList<>();
    for (int i = 0; i < contents.size(); i++) {
      if (window.ledger().get(i).decision().isIn()) {
        shown.add(
            new Shown(source(window.ledger().get(i)), WordSets.of(contents.get(i).body().words())));
      }
    }
    return shown;
  }

  private static Source source(LedgerLine line) {
    return new Source(line.number(), line.candidate().kind(), line.candidate().id());
  }

  /** Sentences; a citation behind the full stop belongs to what was said before it. */
  private static List<String> sentences(String answer) {
    BreakIterator borders = BreakIterator.getSentenceInstance(Locale.ROOT);
    borders.setText(answer);
    List<String> sentences = new ArrayList<>();
    int start = borders.first();
    for (int end = borders.next(); end != BreakIterator.DONE; end = borders.next()) {
      add(sentences, answer.substring(start, end));
      start = end;
    }
    return sentences;
  }

  private static void add(List<String> sentences, String found) {
    String rest = found;
    var leading = LEADING.matcher(found);
    if (!sentences.isEmpty() && leading.find()) {
      sentences.addLast(sentences.removeLast() + " " + leading.group().strip());
      rest = found.substring(leading.end());
    }
    if (!rest.isBlank()) {
      sentences.add(rest.strip());
    }
  }

  private Claim claim(Window window, List<Shown> shown, String sentence) {
    List<Source> sources = new ArrayList<>();
    List<Integer> unknown = new ArrayList<>();
    for (int number : citations(sentence)) {
      Optional<LedgerLine> line = window.cited(number);
      line.ifPresentOrElse(found -> sources.add(source(found)), () -> unknown.add(number));
    }
    if (!unknown.isEmpty()) {
      return new Claim(sentence, Standing.MISCITED, sources, unknown);
    }
    return sources.isEmpty()
        ? uncited(shown, sentence)
        : new Claim(sentence, Standing.CITED, sources, unknown);
  }

  private static List<Integer> citations(String sentence) {
    return CITATION
        .matcher(CODE.matcher(sentence).replaceAll(""))
        .results()
        .flatMap(found -> NUMBER.matcher(found.group(1)).results())
        .map(MatchResult::group)
        .map(Integer::parseInt)
        .distinct()
        .toList();
  }

  private Claim uncited(List<Shown> shown, String sentence) {
    Set<String> words = WordSets.of(sentence);
    Optional<Shown> nearest =
        shown.stream()
            .filter(each -> WordSets.covered(words, each.words()) >= support)
            .max(Comparator.comparingDouble(each -> WordSets.covered(words, each.words())));
    return nearest
        .map(each -> new Claim(sentence, Standing.INFERRED, List.of(each.source()), List.of()))
        .orElseGet(() -> new Claim(sentence, Standing.UNCITED, List.of(), List.of()));
  }
}
