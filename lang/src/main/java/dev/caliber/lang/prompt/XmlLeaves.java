package dev.caliber.lang.prompt;

/**
 * Finds texts and attributes of XML that is known to be well-formed and to have no document type.
 */
final class XmlLeaves {
  private static final String COMMENT = "<!--";
  private static final String CHARACTERS = "<![CDATA[";
  private static final String INSTRUCTION = "<?";

  private final String text;
  private final Strictness strictness;

  XmlLeaves(String text, Strictness strictness) {
    this.text = text;
    this.strictness = strictness;
  }

  void check() {
    int at = 0;
    while (at < text.length()) {
      int open = text.indexOf('<', at);
      int end = open < 0 ? text.length() : open;
      characters(at, end);
      at = open < 0 ? end : markup(open);
    }
  }

  /** Passes over what begins with {@code <}. */
  private int markup(int open) {
    if (text.startsWith(COMMENT, open)) {
      return past("-->", open + COMMENT.length());
    }
    if (text.startsWith(INSTRUCTION, open)) {
      return past("?>", open + INSTRUCTION.length());
    }
    if (text.startsWith(CHARACTERS, open)) {
      int end = past("]]>", open + CHARACTERS.length());
      characters(open + CHARACTERS.length(), end - "]]>".length());
      return end;
    }
    return tag(open + 1);
  }

  private int past(String closing, int from) {
    int found = text.indexOf(closing, from);
    return found < 0 ? text.length() : found + closing.length();
  }

  private int tag(int from) {
    int name = from;
    int at = from;
    while (at < text.length() && text.charAt(at) != '>') {
      char mark = text.charAt(at);
      if (mark == '"' || mark == '\'') {
        int end = past(Character.toString(mark), at + 1);
        attribute(text.substring(name, at), at, end);
        at = end;
        name = end;
      } else {
        at++;
        name = Character.isWhitespace(mark) ? at : name;
      }
    }
    return Math.min(at + 1, text.length());
  }

  /** Declarations of name spaces are structure. */
  private void attribute(String name, int from, int to) {
    if (!name.startsWith("xmlns")) {
      strictness.leaf(text.substring(from + 1, to - 1), from, to);
    }
  }

  private void characters(int from, int to) {
    String found = text.substring(from, to);
    if (!found.isBlank()) {
      int start = from + found.length() - found.stripLeading().length();
      strictness.leaf(found.strip(), start, start + found.strip().length());
    }
  }
}
