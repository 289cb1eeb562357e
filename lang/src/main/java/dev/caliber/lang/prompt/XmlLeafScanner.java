package dev.caliber.lang.prompt;

/**
 * Finds texts and attributes of XML that is known to be well-formed and to have no document type.
 */
final class XmlLeafScanner {
  private static final String COMMENT = "<!--";
  private static final String CHARACTERS = "<![CDATA[";
  private static final String INSTRUCTION = "<?";

  private final String text;
  private final PayloadDiagnostics payloadDiagnostics;

  XmlLeafScanner(String text, PayloadDiagnostics payloadDiagnostics) {
    this.text = text;
    this.payloadDiagnostics = payloadDiagnostics;
  }

  void check() {
    int at = 0;
    while (at < text.length()) {
      int open = text.indexOf('<', at);
      int end = open < 0 ? text.length() : open;
      checkCharacters(at, end);
      at = open < 0 ? end : skipMarkup(open);
    }
  }

  /** Skips markup that begins with {@code <}. */
  private int skipMarkup(int open) {
    if (text.startsWith(COMMENT, open)) {
      return indexPast("-->", open + COMMENT.length());
    }
    if (text.startsWith(INSTRUCTION, open)) {
      return indexPast("?>", open + INSTRUCTION.length());
    }
    if (text.startsWith(CHARACTERS, open)) {
      int end = indexPast("]]>", open + CHARACTERS.length());
      checkCharacters(open + CHARACTERS.length(), end - "]]>".length());
      return end;
    }
    return scanTag(open + 1);
  }

  private int indexPast(String closing, int from) {
    int found = text.indexOf(closing, from);
    return found < 0 ? text.length() : found + closing.length();
  }

  private int scanTag(int from) {
    int name = from;
    int at = from;
    while (at < text.length() && text.charAt(at) != '>') {
      char mark = text.charAt(at);
      if (mark == '"' || mark == '\'') {
        int end = indexPast(Character.toString(mark), at + 1);
        checkAttribute(text.substring(name, at), at, end);
        at = end;
        name = end;
      } else {
        at++;
        name = Character.isWhitespace(mark) ? at : name;
      }
    }
    return Math.min(at + 1, text.length());
  }

  /** Checks an attribute; declarations of name spaces are structure. */
  private void checkAttribute(String name, int from, int to) {
    if (!name.startsWith("xmlns")) {
      payloadDiagnostics.checkValue(text.substring(from + 1, to - 1), from, to);
    }
  }

  private void checkCharacters(int from, int to) {
    String found = text.substring(from, to);
    if (!found.isBlank()) {
      int start = from + found.length() - found.stripLeading().length();
      payloadDiagnostics.checkValue(found.strip(), start, start + found.strip().length());
    }
  }
}
