package dev.caliber.lang.syntax;

/** The kind of a token. */
enum TokenKind {
  IDENTIFIER("a name"),
  STRING("a text in quotation marks"),
  NUMBER("a number"),
  DURATION("a duration such as 30d"),
  LEFT_BRACE("'{'"),
  RIGHT_BRACE("'}'"),
  LEFT_PARENTHESIS("'('"),
  RIGHT_PARENTHESIS("')'"),
  LEFT_BRACKET("'['"),
  RIGHT_BRACKET("']'"),
  COLON("':'"),
  COMMA("','"),
  COMPARATOR("a comparator"),
  END("the end of the source");

  private final String title;

  TokenKind(String title) {
    this.title = title;
  }

  /** Returns the kind as diagnostics name it. */
  String title() {
    return title;
  }

  boolean isOpening() {
    return this == LEFT_BRACE || this == LEFT_PARENTHESIS || this == LEFT_BRACKET;
  }

  /** Returns the opener that this kind closes, or this kind itself if it closes none. */
  TokenKind matchingOpener() {
    return switch (this) {
      case RIGHT_BRACE -> LEFT_BRACE;
      case RIGHT_PARENTHESIS -> LEFT_PARENTHESIS;
      case RIGHT_BRACKET -> LEFT_BRACKET;
      case IDENTIFIER,
          STRING,
          NUMBER,
          DURATION,
          LEFT_BRACE,
          LEFT_PARENTHESIS,
          LEFT_BRACKET,
          COLON,
          COMMA,
          COMPARATOR,
          END ->
          this;
    };
  }

  boolean isClosing() {
    return matchingOpener() != this;
  }
}
