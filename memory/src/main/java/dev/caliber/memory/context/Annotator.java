package dev.caliber.memory.context;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.caliber.kernel.Id;
import dev.caliber.memory.context.Annotation.Claim;
import dev.caliber.memory.context.Annotation.Source;
import dev.caliber.memory.context.Annotation.Standing;
import dev.caliber.memory.text.WordSets;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Maps the citations of an answer back to records. */
final class Annotator {
  private static final String CITED = "\\[\\d{1,9}(?:\\s*,\\s*\\d{1,9})*]";

  /**
   * One or several side by side, not directly behind a word or another bracket, where they are an
   * index. Linear in time, whatever the answer is.
   */
  private static final Pattern CITATION = Pattern.compile("(?:^|[^\\w\\]])((?:" + CITED + ")+)");

  private static final Pattern LEADING = Pattern.compile("^\\s*(?:" + CITED + "\\s*[.,;]?\\s*)+");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?(?:```|\\z)|`[^`\n]*`");
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  /** A sentence ends before a picture, too, where what was said before it has ended. */
  private static final Pattern PICTURE = Pattern.compile("[.!?…][\"')\\]]*\\s+(\\p{So})");

  private static final Pattern INFERENCE = Pattern.compile("\\[INFERENCE]");
  private static final String WARNING = "\u26a0";

  private final double support;

  /**
   * @param support which share of a claim's words a record must have to stand behind it
   */
  Annotator(double support) {
    this.support = support;
  }

  Annotation annotate(
      Window window, List<Content> contents, List<Annotation.Conflict> conflicts, String answer) {
    List<Shown> shown = shown(window, contents);
    String prose = withoutCode(answer);
    List<Claim> claims =
        sentences(prose).stream().map(span -> claim(window, shown, span, answer, prose)).toList();
    return new Annotation(
        claims,
        used(claims),
        inferences(answer, prose),
        answer.lines().filter(line -> line.contains(WARNING)).map(String::strip).toList(),
        claims.stream().flatMap(claim -> claim.unknown().stream()).distinct().toList(),
        conflicts,
        answer,
        Annotation.MODEL);
  }

  /** What is cited; what a claim only seems to come from is not. */
  private static List<Id> used(List<Claim> claims) {
    return claims.stream()
        .filter(claim -> claim.standing() != Standing.INFERRED)
        .flatMap(claim -> claim.sources().stream())
        .map(Source::id)
        .distinct()
        .toList();
  }

  /** Each to the end of its sentence or line, whatever is in brackets there. */
  private static List<String> inferences(String answer, String prose) {
    NavigableSet<Integer> borders = borders(prose);
    List<String> found = new ArrayList<>();
    Matcher marks = INFERENCE.matcher(prose);
    while (marks.find()) {
      int end = end(borders, prose, marks.end());
      String text = answer.substring(marks.end(), end).strip();
      if (!text.isEmpty()) {
        found.add(text);
      }
    }
    return found;
  }

  /** Where what is said at a place ends, spaces before it left out. */
  private static int end(NavigableSet<Integer> borders, String prose, int place) {
    int from = place;
    while (from < prose.length() - 1 && prose.charAt(from) == ' ') {
      from++;
    }
    int sentence = Objects.requireNonNullElse(borders.higher(from), prose.length());
    int line = prose.indexOf('\n', from);
    return line < 0 ? sentence : Math.min(line, sentence);
  }

  /** From where to where a sentence goes. */
  private record Span(int start, int end) {
    String of(String text) {
      return text.substring(start, end).strip();
    }
  }

  /** What stands in code is no citation. Everything else stays at its place. */
  private static String withoutCode(String answer) {
    StringBuilder prose = new StringBuilder(answer);
    Matcher code = CODE.matcher(answer);
    while (code.find()) {
      prose.replace(code.start(), code.end(), " ".repeat(code.end() - code.start()));
    }
    return prose.toString();
  }

  private record Shown(Source source, Set<String> words) {}

  /** What is shown, without the instructions, which are no source. */
  private static List<Shown> shown(Window window, List<Content> contents) {
    Map<Candidate, Content> bodies =
        contents.stream().collect(Collectors.toMap(Content::candidate, Function.identity()));
    return window.ledger().stream()
        .filter(LedgerLine::isSource)
        .map(line -> new Shown(source(line), words(bodies, line)))
        .toList();
  }

  private static Set<String> words(Map<Candidate, Content> bodies, LedgerLine line) {
    return WordSets.of(Objects.requireNonNull(bodies.get(line.candidate())).body().words());
  }

  static Source source(LedgerLine line) {
    return new Source(line.number(), line.candidate().kind(), line.candidate().id());
  }

  /** Sentences; a citation behind the full stop belongs to what was said before it. */
  private static List<Span> sentences(String prose) {
    List<Span> sentences = new ArrayList<>();
    int start = 0;
    for (int end : borders(prose).tailSet(0, false)) {
      add(sentences, prose, new Span(start, end));
      start = end;
    }
    return sentences;
  }

  /** Where sentences begin and end. */
  private static NavigableSet<Integer> borders(String prose) {
    NavigableSet<Integer> borders = new TreeSet<>();
    BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
    sentences.setText(prose);
    for (int border = sentences.first(); border != BreakIterator.DONE; border = sentences.next()) {
      borders.add(border);
    }
    Matcher pictures = PICTURE.matcher(prose);
    while (pictures.find()) {
      borders.add(pictures.start(1));
    }
    return borders;
  }

  private static void add(List<Span> sentences, String prose, Span found) {
    int start = found.start();
    Matcher leading = LEADING.matcher(prose.substring(start, found.end()));
    if (!sentences.isEmpty() && leading.find()) {
      start += leading.end();
      sentences.addLast(new Span(sentences.removeLast().start(), start));
    }
    if (!prose.substring(start, found.end()).isBlank()) {
      sentences.add(new Span(start, found.end()));
    }
  }

  private Claim claim(Window window, List<Shown> shown, Span span, String answer, String prose) {
    String sentence = span.of(answer);
    List<Source> sources = new ArrayList<>();
    List<Integer> unknown = new ArrayList<>();
    for (int number : citations(span.of(prose))) {
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
    Set<Integer> cited = new LinkedHashSet<>();
    Matcher citations = CITATION.matcher(sentence);
    while (citations.find()) {
      Matcher numbers = NUMBER.matcher(citations.group(1));
      while (numbers.find()) {
        cited.add(Integer.parseInt(numbers.group()));
      }
    }
    return List.copyOf(cited);
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
