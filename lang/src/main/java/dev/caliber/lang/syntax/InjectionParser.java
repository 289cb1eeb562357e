package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.InjectionField;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.NameNode;
import java.util.List;

/** Parses the body of an injection. */
final class InjectionParser {
  private final TokenCursor cursor;
  private final ValueParser words;
  private final BlockParser blocks;
  private final FilterParser filters;

  InjectionParser(TokenCursor cursor, ValueParser words, BlockParser blocks) {
    this.cursor = cursor;
    this.words = words;
    this.blocks = blocks;
    this.filters = new FilterParser(cursor, words);
  }

  List<InjectionField> body(NameNode memory, NameNode target) {
    return blocks.body(
        "inject " + memory.text() + " into " + target.text(),
        Keywords.INJECTION_FIELDS,
        this::field);
  }

  private InjectionField field() {
    var word = cursor.expectOneOf(Keywords.INJECTION_FIELDS, "field of an injection");
    cursor.expect(TokenKind.COLON, "after " + word.text());
    return switch (word.text()) {
      case Keywords.MODE -> new InjectionField.Mode(words.mode(), cursor.originSince(word));
      case Keywords.PRIORITY ->
          new InjectionField.Priority(words.number("as a priority"), cursor.originSince(word));
      case Keywords.MAX_TOKENS ->
          new InjectionField.MaxTokens(words.number("of tokens"), cursor.originSince(word));
      default -> new InjectionField.Where(filters.filter(), cursor.originSince(word));
    };
  }
}
