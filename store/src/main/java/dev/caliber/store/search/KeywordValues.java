package dev.caliber.store.search;

import dev.caliber.kernel.FieldHash;

/** Values that are compared as a whole; one too long for Lucene is replaced by its hash. */
final class KeywordValues {

  /* Lucene takes 32,766 bytes; a character takes at most four. */
  static final int LONGEST = 8_000;

  private KeywordValues() {}

  static String indexedText(Object value) {
    String text = value.toString();
    return text.length() <= LONGEST ? text : FieldHash.hash("keyword", text);
  }
}
