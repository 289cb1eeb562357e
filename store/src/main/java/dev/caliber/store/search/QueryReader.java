package dev.caliber.store.search;

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
 * Reads from a query whom and which time it names. A name is a word with a capital that is part of
 * a speaker's name in the index, so that no list of names is needed.
 */
final class QueryReader {

  /*
   * A name pulls a vector towards every text that mentions it, above all towards those that greet
   * the person. So the name is taken out of what is embedded, and the speaker is compared instead.
   * Figures: docs/decisions/0021-retrieval-quality.md
   */
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");
  private static final Pattern POSSESSIVE = Pattern.compile("['’]s\\b");
  private static final Pattern GAPS = Pattern.compile("\\s+");

  private final SearchConfig.Reading rules;
  private final Set<String> askerWords;

  QueryReader(SearchConfig.Reading rules) {
    this.rules = rules;
    this.askerWords = Set.copyOf(rules.askerWords());
  }

  Reading read(IndexSearcher searcher, Analysis analysis, String text) throws IOException {
    Speakers known = new Speakers(searcher.getIndexReader(), analysis);
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
    if (speakers.isEmpty() && words.stream().anyMatch(this::meansAsker)) {
      known.find(rules.asker()).ifPresent(speakers::add);
    }
    return new Reading(
        words(text, analysis), speakers, subject(text, names, analysis), PeriodFormat.in(text));
  }

  /** Words that only ask find other questions; they stay if there are no others. */
  private List<String> words(String text, Analysis analysis) {
    List<String> all = analysis.words(text);
    Set<String> asking = Set.copyOf(analysis.words(String.join(" ", rules.questionWords())));
    List<String> telling = all.stream().filter(word -> !asking.contains(word)).toList();
    return telling.isEmpty() ? all : telling;
  }

  private static boolean isName(String word) {
    return Character.isUpperCase(word.codePointAt(0));
  }

  private boolean meansAsker(MatchResult word) {
    return askerWords.contains(word.group().toLowerCase(Locale.ROOT));
  }

  /** The text without the names, unless nothing is left of it. */
  private String subject(String text, List<MatchResult> names, Analysis analysis) {
    if (rules.embedsNames() || names.isEmpty()) {
      return text;
    }
    String rest = GAPS.matcher(without(text, names)).replaceAll(" ").strip();
    return analysis.words(rest).isEmpty() ? text : rest;
  }

  private static String without(String text, List<MatchResult> names) {
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

  /** The speakers that the index knows. */
  private record Speakers(IndexReader reader, Analysis analysis) {

    Optional<String> find(String word) throws IOException {
      List<String> stems = analysis.words(word);
      if (stems.size() != 1) {
        return Optional.empty();
      }
      Term term = new Term(IndexFormatV1.text(Searchable.Role.SPEAKER), stems.getFirst());
      return reader.docFreq(term) > 0 ? Optional.of(stems.getFirst()) : Optional.empty();
    }
  }
}
