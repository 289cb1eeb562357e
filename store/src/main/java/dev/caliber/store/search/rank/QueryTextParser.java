package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.Searchable;
import dev.caliber.store.search.format.IndexFormatV1;
import dev.caliber.store.search.format.WordAnalyzer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;

/**
 * Parser of the persons and periods that a query names. A name is a capitalised word that is part
 * of a speaker's name in the index, so that no list of names is needed.
 */
public final class QueryTextParser {

  /*
   * A name moves a vector towards every text that mentions it, above all towards those that greet
   * the person. So the name is removed from the embedded text, and the speaker is compared instead.
   * Figures: docs/decisions/0021-retrieval-quality.md
   */
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");
  private static final Pattern POSSESSIVE = Pattern.compile("['’]s\\b");
  private static final Pattern GAPS = Pattern.compile("\\s+");

  private final SearchConfig.QueryAnalysisSettings rules;
  private final Set<String> askerWords;

  public QueryTextParser(SearchConfig.QueryAnalysisSettings rules) {
    this.rules = rules;
    this.askerWords = Set.copyOf(rules.selfWords());
  }

  public ParsedQuery parse(IndexSearcher searcher, WordAnalyzer wordAnalyzer, String text)
      throws IOException {
    KnownSpeakers known = new KnownSpeakers(searcher.getIndexReader(), wordAnalyzer);
    List<MatchResult> words = WORD.matcher(text).results().toList();
    List<MatchResult> names = new ArrayList<>();
    List<String> speakers = new ArrayList<>();
    for (MatchResult word : words) {
      Optional<String> name = isName(word.group()) ? known.find(word.group()) : Optional.empty();
      if (name.isPresent()) {
        names.add(word);
        speakers.add(name.get());
      }
    }
    if (speakers.isEmpty() && words.stream().anyMatch(this::isAsker)) {
      known.find(rules.selfSpeaker()).ifPresent(speakers::add);
    }
    return new ParsedQuery(
        words(text, wordAnalyzer),
        speakers,
        subject(text, names, wordAnalyzer),
        EnglishDateParser.findPeriods(text));
  }

  /**
   * Returns the words without question words, which find other questions; question words remain if
   * there are no others.
   */
  private List<String> words(String text, WordAnalyzer wordAnalyzer) {
    List<String> all = wordAnalyzer.words(text);
    Set<String> asking = Set.copyOf(wordAnalyzer.words(String.join(" ", rules.questionWords())));
    List<String> telling = all.stream().filter(word -> !asking.contains(word)).toList();
    return telling.isEmpty() ? all : telling;
  }

  private static boolean isName(String word) {
    return Character.isUpperCase(word.codePointAt(0));
  }

  private boolean isAsker(MatchResult word) {
    return askerWords.contains(word.group().toLowerCase(Locale.ROOT));
  }

  /** Returns the text without the names, unless nothing is left of it. */
  private String subject(String text, List<MatchResult> names, WordAnalyzer wordAnalyzer) {
    if (rules.embedSpeakerNames() || names.isEmpty()) {
      return text;
    }
    String rest = GAPS.matcher(removeNames(text, names)).replaceAll(" ").strip();
    return wordAnalyzer.words(rest).isEmpty() ? text : rest;
  }

  private static String removeNames(String text, List<MatchResult> names) {
    StringBuilder rest = new StringBuilder();
    int at = 0;
    for (MatchResult name : names) {
      rest.append(text, at, name.start());
      at = afterPossessive(text, name.end());
    }
    return rest.append(text, at, text.length()).toString();
  }

  private static int afterPossessive(String text, int end) {
    Matcher possessive = POSSESSIVE.matcher(text).region(end, text.length());
    return possessive.lookingAt() ? possessive.end() : end;
  }

  /** Speakers that the index contains. */
  private record KnownSpeakers(IndexReader reader, WordAnalyzer analysis) {

    Optional<String> find(String word) throws IOException {
      List<String> stems = analysis.words(word);
      if (stems.size() != 1) {
        return Optional.empty();
      }
      Term term = new Term(IndexFormatV1.textField(Searchable.TextRole.SPEAKER), stems.getFirst());
      return reader.docFreq(term) > 0 ? Optional.of(stems.getFirst()) : Optional.empty();
    }
  }
}
