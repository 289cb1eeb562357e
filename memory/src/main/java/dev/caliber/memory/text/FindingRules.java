package dev.caliber.memory.text;

import dev.caliber.memory.spi.FindingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds errors, code, decisions, preferences, constraints, and what people say of themselves, by
 * patterns.
 */
final class FindingRules {

  /**
   * One pattern. Those on blocks see the whole text, the others one sentence at a time. No part of
   * a pattern on blocks gives back what it has taken across lines: the time is linear in the text.
   */
  private enum Rule {
    STACK_TRACE(
        FindingKind.ERROR,
        true,
        "(?m)^(?=[^\\n]*(?:Exception|Error|Throwable))[^\\n]*+"
            + "(?:\\n[ \\t]++(?:at |\\.\\.\\. )[^\\n]*+)++"
            + "(?:\\nCaused by:[^\\n]*+(?:\\n[ \\t]++(?:at |\\.\\.\\. )[^\\n]*+)*+)*+"),
    TRACEBACK(
        FindingKind.ERROR,
        true,
        "Traceback \\(most recent call last\\):\\n(?:[ \\t][^\\n]*+\\n)++[\\w.]++(?:: [^\\n]*+)?"),
    ERROR_LINE(
        FindingKind.ERROR,
        true,
        "(?m)^[ \\t]*+(?:[\\w.$]*(?:Error|Exception)|ERROR|FATAL|fatal|panic"
            + "|error\\[?\\w*+\\]?):[ \\t]++[^\\n]++"),
    DIFF(
        FindingKind.CODE_PATCH,
        true,
        "(?m)^--- \\S[^\\n]*+\\n\\+\\+\\+ \\S[^\\n]*+\\n"
            + "(?:@@[^\\n]*+\\n(?:[ +\\-\\\\][^\\n]*+(?:\\n|\\z)|\\n)++)++"),
    FENCE(FindingKind.CODE_PATCH, true, "(?s)```[\\w+#.-]*\\n.+?```"),
    DECIDED(
        FindingKind.DECISION,
        false,
        "(?i)\\b(?:decided|agreed|settled on|opted"
            + "|(?:will|going to|let's) go with|chose|decision(?: is)?:)\\b.*"),
    LIKES(
        FindingKind.PREFERENCE,
        false,
        "(?i)\\b(?:i|we|he|she|they|user|\\p{Lu}\\p{L}+)\\b[^.]{0,24}"
            + "\\b(?:prefers?|likes?|loves?|hates?|dislikes?|would rather"
            + "|(?:can't|cannot) stand|favou?rite)\\b.*"),
    MUST(
        FindingKind.CONSTRAINT,
        false,
        "(?i)\\b(?:must(?: not)?|may not|required to|(?:is|are) not allowed"
            + "|no more than|at most|not exceed|under no circumstances|deadline is)\\b.*"),
    ASKED_TO_REMEMBER(
        FindingKind.FACT,
        false,
        "(?i)^(?:please[, ]++)?+(?:remember|note|keep in mind|don['’]t forget)(?: that\\b|:).++"),
    OF_ONESELF(
        FindingKind.FACT,
        false,
        "(?i)^(?:(?:hi|hello|hey|and|but|so|also|well|oh|btw|by the way|actually|fyi)[,!:]?+ )*+"
            + "(?:i(?: am|['’]m) (?!not sure\\b|\\p{L}++ing\\b|(?:sorry|sure|glad|happy|afraid|fine|good"
            + "|okay|ok|back|here|done|ready|curious|interested|confused|stuck|excited|so|really|very"
            + "|just|also|still|now|too|always|looking)\\b)"
            + "|i(?: am|['’]m) (?:living|working|studying) "
            + "|i (?:live|work|study|teach|own|speak|drive|play|run|weigh|earn|grew up|moved|retired"
            + "|was born|was diagnosed|(?:got|am) married|don['’]t (?:eat|drink|drive|speak|like))\\b"
            + "|(?:i|we) have (?:an?|one|two|three|four|five|\\d++|no)"
            + " (?!question|problem|idea|look|feeling|doubt|issue|suggestion|request)\\p{L}"
            + "|we (?:live|own|moved)\\b"
            + "|(?:my|our) (?!question|problem|guess|point|bad|issue|idea|concern|understanding)"
            + "(?:[\\p{L}\\p{N}'’-]++ ){1,5}?(?:is|are|was|were|has|have|lives?|works?|starts?|ends?"
            + "|costs?|called|named|studies|plays?|moved|died|turns?|speaks?)\\b).++");

    private final FindingKind kind;
    private final boolean block;
    private final Pattern pattern;

    Rule(FindingKind kind, boolean block, String pattern) {
      this.kind = kind;
      this.block = block;
      this.pattern = Pattern.compile(pattern);
    }
  }

  private static final int SENTENCE_BOUND = 4096;

  private record Place(int start, int end, Finding finding) {}

  private final Map<FindingKind, Double> confidence;

  FindingRules(Map<FindingKind, Double> confidence) {
    this.confidence = confidence;
  }

  List<Finding> in(String text) {
    NavigableMap<Integer, Place> places = new TreeMap<>();
    for (Rule rule : Rule.values()) {
      (rule.block ? blocks(rule, text) : sentences(rule, text))
          .stream()
              .filter(place -> isFree(place, places))
              .forEach(place -> places.put(place.start, place));
    }
    return places.values().stream().map(Place::finding).distinct().toList();
  }

  /** An earlier rule has the words already: a diff in a fence is one finding. */
  private static boolean isFree(Place place, NavigableMap<Integer, Place> places) {
    Map.Entry<Integer, Place> before = places.lowerEntry(place.end);
    return before == null || before.getValue().end <= place.start;
  }

  private List<Place> blocks(Rule rule, String text) {
    return rule.pattern.matcher(text).results().map(match -> place(rule, match)).toList();
  }

  private Place place(Rule rule, MatchResult match) {
    return new Place(match.start(), match.end(), finding(rule, match.group().strip()));
  }

  private List<Place> sentences(Rule rule, String text) {
    List<Place> places = new ArrayList<>();
    int from = 0;
    for (String sentence : Sentences.of(text)) {
      int start = Math.max(text.indexOf(sentence, from), from);
      from = start + 1;
      Matcher matcher = rule.pattern.matcher(sentence);
      if (states(sentence) && matcher.find()) {
        places.add(new Place(start, start + sentence.length(), finding(rule, sentence)));
      }
    }
    return places;
  }

  /** A question states nothing, and what is as long as a page is no sentence. */
  private static boolean states(String sentence) {
    return !sentence.endsWith("?") && sentence.length() <= SENTENCE_BOUND;
  }

  private Finding finding(Rule rule, String words) {
    return new Finding(
        rule.kind, words, rule.name(), Objects.requireNonNull(confidence.get(rule.kind)));
  }
}
