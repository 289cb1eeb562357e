package dev.caliber.store.search;

import dev.caliber.kernel.Hashing;

/** Values that are compared as a whole; one too long for Lucene is known by its hash. */
final class Keywords {

  /* Lucene takes 32,766 bytes; a character takes at most four. */
  static final int LONGEST = 8_000;

  private Keywords() {}

  static String indexed(Object value) {
    String text = value.toString();
    return text.length() <= LONGEST ? text : Hashing.hash("keyword", text);
  }
}
