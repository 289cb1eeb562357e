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
 * Finds errors, code, decisions, preferences, constraints and statements of people about
 * themselves, by patterns.
 */
final class FindingExtractor {

  /**
   * One pattern. Block patterns see the whole text, the others one sentence at a time. Block
   * patterns use possessive quantifiers across lines, so that matching is linear in the text.
   */
  private enum FindingPattern {
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

    FindingPattern(FindingKind kind, boolean block, String pattern) {
      this.kind = kind;
      this.block = block;
      this.pattern = Pattern.compile(pattern);
    }
  }

  private static final int SENTENCE_BOUND = 4096;

  private record FindingSpan(int start, int end, TextFinding finding) {}

  private final Map<FindingKind, Double> confidence;

  FindingExtractor(Map<FindingKind, Double> confidence) {
    this.confidence = confidence;
  }

  List<TextFinding> extract(String text) {
    NavigableMap<Integer, FindingSpan> places = new TreeMap<>();
    for (FindingPattern findingPattern : FindingPattern.values()) {
      (findingPattern.block
              ? matchBlocks(findingPattern, text)
              : matchSentences(findingPattern, text))
          .stream()
              .filter(findingSpan -> isUnclaimed(findingSpan, places))
              .forEach(findingSpan -> places.put(findingSpan.start, findingSpan));
    }
    return places.values().stream().map(FindingSpan::finding).distinct().toList();
  }

  /**
   * Returns whether no earlier pattern matched an overlapping span: a diff in a fence is one
   * finding.
   */
  private static boolean isUnclaimed(
      FindingSpan findingSpan, NavigableMap<Integer, FindingSpan> places) {
    Map.Entry<Integer, FindingSpan> before = places.lowerEntry(findingSpan.end);
    return before == null || before.getValue().end <= findingSpan.start;
  }

  private List<FindingSpan> matchBlocks(FindingPattern findingPattern, String text) {
    return findingPattern
        .pattern
        .matcher(text)
        .results()
        .map(match -> newSpan(findingPattern, match))
        .toList();
  }

  private FindingSpan newSpan(FindingPattern findingPattern, MatchResult match) {
    return new FindingSpan(
        match.start(), match.end(), newFinding(findingPattern, match.group().strip()));
  }

  private List<FindingSpan> matchSentences(FindingPattern findingPattern, String text) {
    List<FindingSpan> places = new ArrayList<>();
    int from = 0;
    for (String sentence : SentenceSplitter.split(text)) {
      int start = Math.max(text.indexOf(sentence, from), from);
      from = start + 1;
      Matcher matcher = findingPattern.pattern.matcher(sentence);
      if (isStatement(sentence) && matcher.find()) {
        places.add(
            new FindingSpan(
                start, start + sentence.length(), newFinding(findingPattern, sentence)));
      }
    }
    return places;
  }

  /** Excludes questions, and sentences as long as a page. */
  private static boolean isStatement(String sentence) {
    return !sentence.endsWith("?") && sentence.length() <= SENTENCE_BOUND;
  }

  private TextFinding newFinding(FindingPattern findingPattern, String words) {
    return new TextFinding(
        findingPattern.kind,
        words,
        findingPattern.name(),
        Objects.requireNonNull(confidence.get(findingPattern.kind)));
  }
}
