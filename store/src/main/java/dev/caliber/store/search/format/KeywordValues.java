package dev.caliber.store.search.format;

import dev.caliber.kernel.FieldHash;

/** Values that are compared as a whole; one too long for Lucene is replaced by its hash. */
public final class KeywordValues {

  /* Lucene takes 32,766 bytes; a character takes at most four. */
  public static final int LONGEST = 8_000;

  private KeywordValues() {}

  public static String indexedText(Object value) {
    String text = value.toString();
    return text.length() <= LONGEST ? text : FieldHash.hash("keyword", text);
  }
}
