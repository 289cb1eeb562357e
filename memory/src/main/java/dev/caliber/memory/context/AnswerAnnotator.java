package dev.caliber.memory.context;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.caliber.kernel.Id;
import dev.caliber.memory.context.candidate.CandidateContent;
import dev.caliber.memory.context.window.AnswerAnnotation;
import dev.caliber.memory.context.window.AnswerAnnotation.AnswerClaim;
import dev.caliber.memory.context.window.AnswerAnnotation.CitedRecord;
import dev.caliber.memory.context.window.AnswerAnnotation.ClaimSupport;
import dev.caliber.memory.context.window.Candidate;
import dev.caliber.memory.context.window.LedgerLine;
import dev.caliber.memory.context.window.Window;
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
final class AnswerAnnotator {
  private static final String CITED = "\\[\\d{1,9}(?:\\s*,\\s*\\d{1,9})*]";

  /**
   * Matches adjacent citations that do not directly follow a word or a bracket, where they would be
   * an index. Matching is linear in the length of the answer.
   */
  private static final Pattern CITATION = Pattern.compile("(?:^|[^\\w\\]])((?:" + CITED + ")+)");

  private static final Pattern LEADING = Pattern.compile("^\\s*(?:" + CITED + "\\s*[.,;]?\\s*)+");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?(?:```|\\z)|`[^`\n]*`");
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  /** A sentence also ends before a pictograph that follows its end mark. */
  private static final Pattern PICTURE = Pattern.compile("[.!?…][\"')\\]]*\\s+(\\p{So})");

  private static final Pattern INFERENCE = Pattern.compile("\\[INFERENCE]");
  private static final String WARNING = "\u26a0";

  private final double support;

  /**
   * @param support share of a claim's words that a record must contain to support it
   */
  AnswerAnnotator(double support) {
    this.support = support;
  }

  AnswerAnnotation annotate(
      Window window,
      List<CandidateContent> contents,
      List<AnswerAnnotation.ConflictingRecords> conflicts,
      String answer) {
    List<ShownRecord> shown = shownRecords(window, contents);
    String prose = withoutCode(answer);
    List<AnswerClaim> claims =
        sentences(prose).stream()
            .map(sentenceSpan -> newClaim(window, shown, sentenceSpan, answer, prose))
            .toList();
    return new AnswerAnnotation(
        claims,
        citedIds(claims),
        inferences(answer, prose),
        answer.lines().filter(line -> line.contains(WARNING)).map(String::strip).toList(),
        claims.stream().flatMap(answerClaim -> answerClaim.unknown().stream()).distinct().toList(),
        conflicts,
        answer,
        AnswerAnnotation.MODEL);
  }

  /** Returns the cited records; records inferred for an uncited claim are left out. */
  private static List<Id> citedIds(List<AnswerClaim> claims) {
    return claims.stream()
        .filter(answerClaim -> answerClaim.standing() != ClaimSupport.INFERRED)
        .flatMap(answerClaim -> answerClaim.sources().stream())
        .map(CitedRecord::id)
        .distinct()
        .toList();
  }

  /** Returns the text after each mark up to the end of its sentence or line. */
  private static List<String> inferences(String answer, String prose) {
    NavigableSet<Integer> borders = sentenceBoundaries(prose);
    List<String> found = new ArrayList<>();
    Matcher marks = INFERENCE.matcher(prose);
    while (marks.find()) {
      int end = sentenceEnd(borders, prose, marks.end());
      String text = answer.substring(marks.end(), end).strip();
      if (!text.isEmpty()) {
        found.add(text);
      }
    }
    return found;
  }

  /** Returns the end of the sentence or line that starts at a position, after skipping spaces. */
  private static int sentenceEnd(NavigableSet<Integer> borders, String prose, int place) {
    int from = place;
    while (from < prose.length() - 1 && prose.charAt(from) == ' ') {
      from++;
    }
    int sentence = Objects.requireNonNullElse(borders.higher(from), prose.length());
    int line = prose.indexOf('\n', from);
    return line < 0 ? sentence : Math.min(line, sentence);
  }

  /** Start and end of a sentence. */
  private record SentenceSpan(int start, int end) {
    String textIn(String text) {
      return text.substring(start, end).strip();
    }
  }

  /** Blanks out code, where brackets are no citations, and keeps all positions. */
  private static String withoutCode(String answer) {
    StringBuilder prose = new StringBuilder(answer);
    Matcher code = CODE.matcher(answer);
    while (code.find()) {
      prose.replace(code.start(), code.end(), " ".repeat(code.end() - code.start()));
    }
    return prose.toString();
  }

  private record ShownRecord(CitedRecord source, Set<String> words) {}

  /** Returns the records shown, without the instructions, which are no source. */
  private static List<ShownRecord> shownRecords(Window window, List<CandidateContent> contents) {
    Map<Candidate, CandidateContent> bodies =
        contents.stream()
            .collect(Collectors.toMap(CandidateContent::candidate, Function.identity()));
    return window.ledger().stream()
        .filter(LedgerLine::isSource)
        .map(line -> new ShownRecord(citedRecord(line), wordsOf(bodies, line)))
        .toList();
  }

  private static Set<String> wordsOf(Map<Candidate, CandidateContent> bodies, LedgerLine line) {
    return WordSets.wordsOf(
        Objects.requireNonNull(bodies.get(line.candidate())).body().plainText());
  }

  static CitedRecord citedRecord(LedgerLine line) {
    return new CitedRecord(line.number(), line.candidate().kind(), line.candidate().id());
  }

  /** Splits into sentences; a citation after the full stop belongs to the sentence before it. */
  private static List<SentenceSpan> sentences(String prose) {
    List<SentenceSpan> sentences = new ArrayList<>();
    int start = 0;
    for (int end : sentenceBoundaries(prose).tailSet(0, false)) {
      addSentence(sentences, prose, new SentenceSpan(start, end));
      start = end;
    }
    return sentences;
  }

  /** Returns the positions where sentences begin and end. */
  private static NavigableSet<Integer> sentenceBoundaries(String prose) {
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

  private static void addSentence(List<SentenceSpan> sentences, String prose, SentenceSpan found) {
    int start = found.start();
    Matcher leading = LEADING.matcher(prose.substring(start, found.end()));
    if (!sentences.isEmpty() && leading.find()) {
      start += leading.end();
      sentences.addLast(new SentenceSpan(sentences.removeLast().start(), start));
    }
    if (!prose.substring(start, found.end()).isBlank()) {
      sentences.add(new SentenceSpan(start, found.end()));
    }
  }

  private AnswerClaim newClaim(
      Window window,
      List<ShownRecord> shown,
      SentenceSpan sentenceSpan,
      String answer,
      String prose) {
    String sentence = sentenceSpan.textIn(answer);
    List<CitedRecord> sources = new ArrayList<>();
    List<Integer> unknown = new ArrayList<>();
    for (int number : citedNumbers(sentenceSpan.textIn(prose))) {
      Optional<LedgerLine> line = window.citedLine(number);
      line.ifPresentOrElse(found -> sources.add(citedRecord(found)), () -> unknown.add(number));
    }
    if (!unknown.isEmpty()) {
      return new AnswerClaim(sentence, ClaimSupport.MISCITED, sources, unknown);
    }
    return sources.isEmpty()
        ? uncitedClaim(shown, sentence)
        : new AnswerClaim(sentence, ClaimSupport.CITED, sources, unknown);
  }

  private static List<Integer> citedNumbers(String sentence) {
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

  private AnswerClaim uncitedClaim(List<ShownRecord> shown, String sentence) {
    Set<String> words = WordSets.wordsOf(sentence);
    Optional<ShownRecord> nearest =
        shown.stream()
            .filter(each -> WordSets.coverage(words, each.words()) >= support)
            .max(Comparator.comparingDouble(each -> WordSets.coverage(words, each.words())));
    return nearest
        .map(
            each ->
                new AnswerClaim(sentence, ClaimSupport.INFERRED, List.of(each.source()), List.of()))
        .orElseGet(() -> new AnswerClaim(sentence, ClaimSupport.UNCITED, List.of(), List.of()));
  }
}
