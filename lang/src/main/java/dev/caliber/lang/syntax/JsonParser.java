package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.BooleanNode;
import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.NodeOrigin;
import java.util.List;

/** Parses the JSON of options. */
final class JsonParser {
  private static final List<String> WORDS = List.of(Keywords.TRUE, Keywords.FALSE, Keywords.NULL);

  private final TokenCursor cursor;
  private final ValueParser words;
  private final BlockParser blocks;
  private final NestingLimit nestingLimit;

  JsonParser(TokenCursor cursor, ValueParser words, BlockParser blocks) {
    this.cursor = cursor;
    this.words = words;
    this.blocks = blocks;
    this.nestingLimit = new NestingLimit(cursor);
  }

  JsonValueNode.Members members() {
    var first = cursor.peek();
    if (first.is(TokenKind.LEFT_BRACE) && cursor.peek(1).is(TokenKind.RIGHT_BRACE)) {
      cursor.next();
      cursor.next();
      return new JsonValueNode.Members(List.of(), cursor.originSince(first));
    }
    var members =
        blocks.resilientEntries(
            TokenKind.LEFT_BRACE,
            TokenKind.RIGHT_BRACE,
            "an option",
            token -> token.is(TokenKind.STRING) && cursor.peek(1).is(TokenKind.COLON),
            this::member);
    return new JsonValueNode.Members(members, cursor.originSince(first));
  }

  private JsonValueNode.Member member() {
    var first = cursor.peek();
    var key = words.text("as the key of an option");
    cursor.expect(TokenKind.COLON, "after the key");
    var value = nestingLimit.parseNested(this::value);
    return new JsonValueNode.Member(key, value, cursor.originSince(first));
  }

  private JsonValueNode value() {
    var token = cursor.peek();
    return switch (token.kind()) {
      case STRING -> words.text("as a value");
      case NUMBER -> words.number("as a value");
      case LEFT_BRACE -> members();
      case LEFT_BRACKET -> items();
      case IDENTIFIER -> word();
      case DURATION,
          RIGHT_BRACE,
          LEFT_PARENTHESIS,
          RIGHT_PARENTHESIS,
          RIGHT_BRACKET,
          COLON,
          COMMA,
          COMPARATOR,
          END ->
          throw cursor.unexpected("a JSON value: texts need quotation marks");
    };
  }

  private JsonValueNode word() {
    var word = cursor.expectOneOf(WORDS, "JSON value");
    var nodeOrigin = new NodeOrigin(word.span());
    return word.is(Keywords.NULL)
        ? new JsonValueNode.NullValue(nodeOrigin)
        : new BooleanNode(word.is(Keywords.TRUE), nodeOrigin);
  }

  private JsonValueNode items() {
    var first = cursor.peek();
    if (cursor.peek(1).is(TokenKind.RIGHT_BRACKET)) {
      cursor.next();
      cursor.next();
      return new JsonValueNode.Items(List.of(), cursor.originSince(first));
    }
    var items =
        blocks.entries(
            TokenKind.LEFT_BRACKET,
            TokenKind.RIGHT_BRACKET,
            "a JSON value",
            () -> nestingLimit.parseNested(this::value));
    return new JsonValueNode.Items(items, cursor.originSince(first));
  }
}
