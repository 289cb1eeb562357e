package dev.caliber.lang.syntax;

import dev.caliber.kernel.config.AdapterType;
import dev.caliber.lang.ast.AdapterField;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.NameNode;
import dev.caliber.lang.ast.NodeOrigin;
import java.util.List;

/** Parses the body of an adapter. */
final class AdapterParser {
  private final TokenCursor cursor;
  private final ValueParser words;
  private final BlockParser blocks;
  private final JsonParser json;

  AdapterParser(TokenCursor cursor, ValueParser words, BlockParser blocks) {
    this.cursor = cursor;
    this.words = words;
    this.blocks = blocks;
    this.json = new JsonParser(cursor, words, blocks);
  }

  List<AdapterField> body(NameNode nameNode) {
    return blocks.body("adapter " + nameNode.text(), Keywords.ADAPTER_FIELDS, this::field);
  }

  private AdapterField field() {
    var word = cursor.expectOneOf(Keywords.ADAPTER_FIELDS, "field of an adapter");
    cursor.expect(TokenKind.COLON, "after " + word.text());
    return switch (word.text()) {
      case Keywords.TYPE -> {
        var value = new NodeOrigin(cursor.peek().span());
        var type = words.constant(AdapterType.values(), Keywords.ADAPTER_TYPES, "type of adapter");
        yield new AdapterField.AdapterTypeField(type, value, cursor.originSince(word));
      }
      case Keywords.CONNECTION ->
          new AdapterField.Connection(words.text("as a connection"), cursor.originSince(word));
      default -> new AdapterField.Options(json.members(), cursor.originSince(word));
    };
  }
}
