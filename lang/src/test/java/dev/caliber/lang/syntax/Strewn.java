package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.util.Random;

/** Writes the tokens of a source again with random line breaks and comments between them. */
final class Strewn {
  private Strewn() {}

  static String comments(String source, long seed) {
    var random = new Random(seed);
    var out = new StringBuilder();
    int count = 0;
    var tokens = new Lexer(source, new Diagnostics("t")).lex().tokens();
    for (Token token : tokens) {
      out.append(
          switch (random.nextInt(12)) {
            case 0 -> " // trailing " + count++ + "\n";
            case 1 -> "\n// own " + count++ + "\n";
            case 2 -> "\n\n  // apart " + count++ + "  \n\n\n";
            case 3 -> "\n\n\n";
            case 4, 5, 6 -> "\n";
            default -> " ";
          });
      if (!token.is(TokenKind.END)) {
        out.append(
            token.is(TokenKind.STRING)
                ? InlinePrinter.quote(TextNode.of(token.text()))
                : token.text());
      }
    }
    return out.toString();
  }
}
