package dev.caliber.memory;

import dev.caliber.memory.text.Scripts;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Texts and their sentences, in which another text is looked up in one pass.
 *
 * <p>The sentences are sorted. At each edge of a word a binary search finds the last sentence that
 * is not behind the rest of the text; only that one and the sentences that it begins with can stand
 * there, and {@code beginnings} links them. Filters of hashed characters spare most searches.
 */
final class QuoteIndex {
  /** Sentences are looked for only where the text goes on with as many characters of one. */
  private static final int HEAD = 3;

  /** A part of a text has all of its windows of so many characters. */
  private static final int WINDOW = 8;

  private static final int BITS_PER_ENTRY = 8;
  private static final int MAX_BITS = 1 << 26;
  private static final int HASH = 31;

  private final Set<String> texts;
  private final String[] sentences;

  /** By sentence the longest other one that it begins with; -1 for none. */
  private final int[] beginnings;

  private final HashFilter heads;
  private final HashFilter windows;

  private QuoteIndex(Collection<String> texts, Collection<String> sentences) {
    this.texts = Set.copyOf(new HashSet<>(texts));
    this.sentences = sentences.stream().distinct().sorted().toArray(String[]::new);
    this.beginnings = beginnings(this.sentences);
    this.heads = new HashFilter(this.sentences.length, HEAD);
    for (String sentence : this.sentences) {
      heads.add(sentence, 0);
    }
    this.windows = new HashFilter(this.texts.stream().mapToLong(String::length).sum(), WINDOW);
    for (String text : this.texts) {
      for (int at = 0; at + WINDOW <= text.length(); at++) {
        windows.add(text, at);
      }
    }
  }

  static QuoteIndex of(List<String> texts, List<String> sentences) {
    return new QuoteIndex(texts, sentences);
  }

  /** Hashes of as many characters; says of some that were not added that they may have been. */
  private static final class HashFilter {
    private final int characters;
    private final int mask;
    private final BitSet bits;

    HashFilter(long entries, int characters) {
      this.characters = characters;
      long wanted = Math.clamp(entries * BITS_PER_ENTRY, Long.SIZE, MAX_BITS);
      this.mask = (int) Long.highestOneBit(wanted) - 1;
      this.bits = new BitSet(mask + 1);
    }

    void add(String text, int at) {
      bits.set(hash(text, at));
    }

    boolean mayHave(String text, int at) {
      return bits.get(hash(text, at));
    }

    private int hash(String text, int at) {
      int hash = 0;
      int end = Math.min(text.length(), at + characters);
      for (int i = at; i < end; i++) {
        hash = HASH * hash + text.charAt(i);
      }
      return (hash ^ (hash >>> Short.SIZE)) & mask;
    }
  }

  private static int[] beginnings(String[] sorted) {
    int[] longest = new int[sorted.length];
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < sorted.length; i++) {
      while (!open.isEmpty() && !sorted[i].startsWith(sorted[open.getLast()])) {
        open.removeLast();
      }
      longest[i] = open.isEmpty() ? -1 : open.getLast();
      open.addLast(i);
    }
    return longest;
  }

  /** Whether the text is one of these, or has one of their sentences as whole words. */
  boolean isIn(String plain) {
    if (texts.contains(plain)) {
      return true;
    }
    for (int at = 0; at + HEAD <= plain.length(); at++) {
      if (heads.mayHave(plain, at) && isEdge(plain, at) && isSentenceAt(plain, at)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the text is a part of one of these. */
  boolean isPart(String plain) {
    for (int at = 0; at + WINDOW <= plain.length(); at++) {
      if (!windows.mayHave(plain, at)) {
        return false;
      }
    }
    return texts.stream().anyMatch(text -> text.contains(plain));
  }

  private boolean isSentenceAt(String plain, int at) {
    int found = lastNotBehind(plain, at);
    int common = found < 0 ? 0 : common(sentences[found], plain, at);
    while (found >= 0) {
      int length = sentences[found].length();
      if (length <= common && isEdge(plain, at + length)) {
        return true;
      }
      found = beginnings[found];
    }
    return false;
  }

  /** The last sentence that is not greater than the rest of the text. */
  private int lastNotBehind(String plain, int at) {
    int low = 0;
    int high = sentences.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBehind(sentences[middle], plain, at)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low - 1;
  }

  private static boolean isBehind(String sentence, String plain, int at) {
    int common = common(sentence, plain, at);
    return common < sentence.length()
        && (at + common == plain.length() || sentence.charAt(common) > plain.charAt(at + common));
  }

  private static int common(String sentence, String plain, int at) {
    int most = Math.min(sentence.length(), plain.length() - at);
    int common = 0;
    while (common < most && sentence.charAt(common) == plain.charAt(at + common)) {
      common++;
    }
    return common;
  }

  /** As whole words: what ends with a 1 does not stand in what ends with a 12. */
  private static boolean isEdge(String text, int at) {
    return at == 0
        || at == text.length()
        || Scripts.mayPart(text.codePointBefore(at), text.codePointAt(at));
  }
}
