package dev.caliber.memory.text;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Content words of a text, reduced to their stems. */
final class WordTokenizer {
  /** Longer than the longest stem that a rule may leave over. */
  private static final int SHORTEST_STEM_BOUND = 3;

  /** A letter or digit with its combining marks. */
  private static final String LETTERS = "[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}]*+";

  private static final Pattern WORD =
      Pattern.compile(
          LETTERS + "(?:(?:[.'’_-]|(?<=\\p{N}),(?=\\p{N}))" + LETTERS + ")*+(?:%|\\+\\+|#)?");

  private static final Set<String> EMPTY =
      Set.of(
          ("a an the this that these those i i'm i've i'd i'll you you're we we're we've they he"
                  + " she it it's its me my mine your our their his her us them him am is are was were"
                  + " be been being have has had having do does did will would can could should shall"
                  + " may might of in on at to for from with by as into about over and or but so if"
                  + " then than there here what which who whom when where why how just also really"
                  + " actually very any some all each before ever already now currently too up out"
                  + " only own same such s t m re ve d ll hi hello please thanks thank yes yeah ok"
                  + " okay let like get got go")
              .split(" ", -1));

  private static final Map<String, String> IRREGULAR =
      Map.ofEntries(
          Map.entry("used", "use"),
          Map.entry("using", "use"),
          Map.entry("written", "write"),
          Map.entry("wrote", "write"),
          Map.entry("done", "do"),
          Map.entry("made", "make"),
          Map.entry("sent", "send"),
          Map.entry("built", "build"),
          Map.entry("began", "begin"),
          Map.entry("begun", "begin"),
          Map.entry("took", "take"),
          Map.entry("taken", "take"),
          Map.entry("bought", "buy"),
          Map.entry("chose", "choose"),
          Map.entry("chosen", "choose"),
          Map.entry("ran", "run"),
          Map.entry("held", "hold"),
          Map.entry("met", "meet"),
          Map.entry("kept", "keep"),
          Map.entry("left", "leave"),
          Map.entry("gave", "give"),
          Map.entry("given", "give"),
          Map.entry("knew", "know"),
          Map.entry("known", "know"),
          Map.entry("saw", "see"),
          Map.entry("seen", "see"),
          Map.entry("taught", "teach"),
          Map.entry("found", "find"),
          Map.entry("paid", "pay"),
          Map.entry("went", "go"),
          Map.entry("gone", "go"));

  private WordTokenizer() {}

  /** Returns all words in order, in lower case, unstemmed. */
  static List<String> allWords(String text) {
    List<String> words = new ArrayList<>();
    var matcher = WORD.matcher(text);
    while (matcher.find()) {
      words.add(matcher.group().toLowerCase(Locale.ROOT).replace('’', '\''));
    }
    return words;
  }

  /**
   * Returns the content words, stemmed, each once, in the order of their first use. In scripts
   * without blanks, every two adjacent characters are one word.
   */
  static Set<String> contentWords(String text) {
    Set<String> content = new LinkedHashSet<>();
    for (String word : allWords(text)) {
      if (word.codePoints().anyMatch(UnspacedScripts::isUnspaced)) {
        CharacterBigrams.addBigrams(word, content);
      } else if (!EMPTY.contains(word)) {
        content.add(stem(word));
      }
    }
    return content;
  }

  /** Returns all words in order, stemmed, stop words too; a run without blanks is one word. */
  static List<String> stemmedWords(String text) {
    return allWords(text).stream().map(WordTokenizer::stem).toList();
  }

  static boolean isStopWord(String word) {
    return EMPTY.contains(word);
  }

  /** Returns one form for all endings of a word: files and file, used and using. */
  static String stem(String word) {
    String base = IRREGULAR.getOrDefault(word, word);
    base = removeEnding(base, "'s");
    base = base.endsWith("ss") || base.endsWith("us") ? base : removeEnding(base, "s");
    String shorter =
        removeEnding(removeEnding(removeEnding(removeEnding(base, "ation"), "ing"), "ed"), "ly");
    shorter = shorter.equals(base) ? base : undoubleConsonant(shorter);
    shorter = removeEnding(shorter, "e");
    return shorter.endsWith("y") ? shorter.substring(0, shorter.length() - 1) + "i" : shorter;
  }

  private static String removeEnding(String word, String ending) {
    boolean cuts = word.endsWith(ending) && word.length() - ending.length() >= SHORTEST_STEM_BOUND;
    return cuts ? word.substring(0, word.length() - ending.length()) : word;
  }

  /** Removes a consonant that was doubled before an ending: planned is plan. */
  private static String undoubleConsonant(String stem) {
    int last = stem.length() - 1;
    boolean doubled = last > 1 && stem.charAt(last) == stem.charAt(last - 1);
    return doubled && "lsz".indexOf(stem.charAt(last)) < 0 ? stem.substring(0, last) : stem;
  }
}
