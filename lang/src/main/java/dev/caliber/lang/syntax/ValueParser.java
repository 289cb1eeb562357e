package dev.caliber.lang.syntax;

import dev.caliber.kernel.config.Trigger;
import dev.caliber.lang.ast.DurationNode;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.ModeNode;
import dev.caliber.lang.ast.NameNode;
import dev.caliber.lang.ast.NodeOrigin;
import dev.caliber.lang.ast.NumberNode;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.ast.TriggerNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/** Parses what occurs in several places: names, texts, numbers, durations, triggers and modes. */
final class ValueParser {
  private final TokenCursor cursor;

  ValueParser(TokenCursor cursor) {
    this.cursor = cursor;
  }

  NameNode name(String where) {
    var token = cursor.expect(TokenKind.IDENTIFIER, where);
    return new NameNode(token.text(), new NodeOrigin(token.span()));
  }

  TextNode text(String where) {
    var token = cursor.expect(TokenKind.STRING, where);
    return new TextNode(token.text(), new NodeOrigin(token.span()));
  }

  NumberNode number(String where) {
    var token = cursor.expect(TokenKind.NUMBER, where);
    return new NumberNode(new BigDecimal(token.text()), new NodeOrigin(token.span()));
  }

  DurationNode duration(String where) {
    if (cursor.isAt(TokenKind.NUMBER)) {
      throw cursor.fail(
          DiagnosticCode.INVALID_DURATION,
          cursor.peek().span(),
          cursor.peek().describe() + " has no unit",
          "write s, m, h, d or w directly after the number, such as 30d");
    }
    var token = cursor.expect(TokenKind.DURATION, where);
    int digits = token.text().length() - 1;
    return new DurationNode(
        Long.parseLong(token.text().substring(0, digits)),
        constant(DurationNode.Unit.values(), token.text().substring(digits)),
        new NodeOrigin(token.span()));
  }

  /** Returns the constant of one of the words. */
  <E extends Enum<E>> E constant(E[] constants, List<String> words, String what) {
    return constant(constants, cursor.expectOneOf(words, what).text());
  }

  static <E extends Enum<E>> E constant(E[] constants, String word) {
    for (E constant : constants) {
      if (constant.name().equals(word.toUpperCase(Locale.ROOT))) {
        return constant;
      }
    }
    throw new IllegalArgumentException("expected a word of the language, found " + word);
  }

  TriggerNode trigger() {
    var word = cursor.expectOneOf(Keywords.TRIGGERS, "trigger");
    if (!word.is(Keywords.SCHEDULE)) {
      return new TriggerNode.On(
          constant(Trigger.TrajectoryTriggerEvent.values(), word.text()),
          new NodeOrigin(word.span()));
    }
    open(word);
    var cron = text("with a cron expression");
    close(word);
    return new TriggerNode.Schedule(cron, cursor.originSince(word));
  }

  ModeNode mode() {
    var word = cursor.expectOneOf(Keywords.MODES, "mode");
    return switch (word.text()) {
      case "full" -> new ModeNode.Full(new NodeOrigin(word.span()));
      case "summary" -> new ModeNode.Summary(new NodeOrigin(word.span()));
      case "top_k" -> new ModeNode.TopK(argument(word), cursor.originSince(word));
      default -> new ModeNode.Relevant(argument(word), cursor.originSince(word));
    };
  }

  /** Parses the number in parentheses after the word. */
  NumberNode argument(Token word) {
    open(word);
    var number = number("in the parentheses of " + word.text());
    close(word);
    return number;
  }

  void open(Token word) {
    cursor.expect(TokenKind.LEFT_PARENTHESIS, "after " + word.text());
  }

  void close(Token word) {
    cursor.expect(TokenKind.RIGHT_PARENTHESIS, "to close " + word.text());
  }
}
