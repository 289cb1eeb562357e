package dev.caliber.memory.text;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Index of texts and their sentences that finds quotes in another text in one pass.
 *
 * <p>The sentences are sorted. At each word boundary a binary search finds the last sentence that
 * is not greater than the rest of the text. Only that one and its prefixes can match there; {@code
 * beginnings} links the prefixes. Bloom filters of character hashes avoid most searches.
 */
final class QuoteIndex {
  /** Number of leading characters that the filter {@code heads} hashes. */
  private static final int HEAD = 3;

  /** Number of characters in each window that the filter {@code windows} hashes. */
  private static final int WINDOW = 8;

  private static final int BITS_PER_ENTRY = 8;
  private static final int MAX_BITS = 1 << 26;
  private static final int HASH = 31;

  private final Set<String> texts;
  private final String[] sentences;

  /** Index of the longest other sentence that is a prefix of this one; -1 for none. */
  private final int[] beginnings;

  private final BloomFilter heads;
  private final BloomFilter windows;

  private QuoteIndex(Collection<String> texts, Collection<String> sentences) {
    this.texts = Set.copyOf(new HashSet<>(texts));
    this.sentences = sentences.stream().distinct().sorted().toArray(String[]::new);
    this.beginnings = longestPrefixes(this.sentences);
    this.heads = new BloomFilter(this.sentences.length, HEAD);
    for (String sentence : this.sentences) {
      heads.add(sentence, 0);
    }
    this.windows = new BloomFilter(this.texts.stream().mapToLong(String::length).sum(), WINDOW);
    for (String text : this.texts) {
      for (int at = 0; at + WINDOW <= text.length(); at++) {
        windows.add(text, at);
      }
    }
  }

  static QuoteIndex of(List<String> texts, List<String> sentences) {
    return new QuoteIndex(texts, sentences);
  }

  /** Set of hashes of {@code characters} characters, with false positives. */
  private static final class BloomFilter {
    private final int characters;
    private final int mask;
    private final BitSet bits;

    BloomFilter(long entries, int characters) {
      this.characters = characters;
      long wanted = Math.clamp(entries * BITS_PER_ENTRY, Long.SIZE, MAX_BITS);
      this.mask = (int) Long.highestOneBit(wanted) - 1;
      this.bits = new BitSet(mask + 1);
    }

    void add(String text, int at) {
      bits.set(hash(text, at));
    }

    boolean mightContain(String text, int at) {
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

  private static int[] longestPrefixes(String[] sorted) {
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

  /** Returns whether the text equals a known one or contains a whole sentence of one. */
  boolean isQuotedBy(String plain) {
    if (texts.contains(plain)) {
      return true;
    }
    for (int at = 0; at + HEAD <= plain.length(); at++) {
      if (heads.mightContain(plain, at) && isWordBoundary(plain, at) && hasSentenceAt(plain, at)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the text is a part of one of the texts. */
  boolean isPartOfText(String plain) {
    for (int at = 0; at + WINDOW <= plain.length(); at++) {
      if (!windows.mightContain(plain, at)) {
        return false;
      }
    }
    return texts.stream().anyMatch(text -> text.contains(plain));
  }

  private boolean hasSentenceAt(String plain, int at) {
    int found = lastSentenceNotAfter(plain, at);
    int common = found < 0 ? 0 : commonPrefixLength(sentences[found], plain, at);
    while (found >= 0) {
      int length = sentences[found].length();
      if (length <= common && isWordBoundary(plain, at + length)) {
        return true;
      }
      found = beginnings[found];
    }
    return false;
  }

  /** Returns the last sentence that is not greater than the rest of the text; -1 for none. */
  private int lastSentenceNotAfter(String plain, int at) {
    int low = 0;
    int high = sentences.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isAfter(sentences[middle], plain, at)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low - 1;
  }

  private static boolean isAfter(String sentence, String plain, int at) {
    int common = commonPrefixLength(sentence, plain, at);
    return common < sentence.length()
        && (at + common == plain.length() || sentence.charAt(common) > plain.charAt(at + common));
  }

  private static int commonPrefixLength(String sentence, String plain, int at) {
    int most = Math.min(sentence.length(), plain.length() - at);
    int common = 0;
    while (common < most && sentence.charAt(common) == plain.charAt(at + common)) {
      common++;
    }
    return common;
  }

  /** Tests for a word boundary: a sentence ending with 1 does not match one ending with 12. */
  private static boolean isWordBoundary(String text, int at) {
    return at == 0
        || at == text.length()
        || UnspacedScripts.canSplit(text.codePointBefore(at), text.codePointAt(at));
  }
}
