package dev.caliber.lang.syntax;

import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.IndexType;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.lang.ast.IndexEntry;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.LifecycleNode;
import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.ast.NameNode;
import dev.caliber.lang.ast.NodeOrigin;
import dev.caliber.lang.ast.RetentionNode;
import dev.caliber.lang.ast.SchemaField;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.ast.TriggerNode;
import dev.caliber.lang.ast.TypeNode;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Parses the body of a memory. */
final class MemoryParser {
  private final TokenCursor cursor;
  private final ValueParser words;
  private final BlockParser blocks;

  MemoryParser(TokenCursor cursor, ValueParser words, BlockParser blocks) {
    this.cursor = cursor;
    this.words = words;
    this.blocks = blocks;
  }

  List<MemoryField> body(NameNode nameNode) {
    return blocks.body("memory " + nameNode.text(), Keywords.MEMORY_FIELDS, this::field);
  }

  private MemoryField field() {
    var word = cursor.expectOneOf(Keywords.MEMORY_FIELDS, "field of a memory");
    cursor.expect(TokenKind.COLON, "after " + word.text());
    return switch (word.text()) {
      case Keywords.TYPE ->
          new MemoryField.Type(
              words.constant(MemoryType.values(), Keywords.MEMORY_TYPES, "type of memory"),
              cursor.originSince(word));
      case Keywords.SCHEMA ->
          new MemoryField.Schema(entries("a field", this::schemaField), cursor.originSince(word));
      case Keywords.RETENTION -> new MemoryField.Retention(retention(), cursor.originSince(word));
      case Keywords.INDEX ->
          new MemoryField.Index(
              entries("an indexed field", this::indexEntry), cursor.originSince(word));
      case Keywords.LIFECYCLE -> new MemoryField.Lifecycle(lifecycle(), cursor.originSince(word));
      case Keywords.ARTIFACTS -> new MemoryField.Artifacts(artifacts(), cursor.originSince(word));
      case Keywords.PARENT ->
          new MemoryField.Parent(words.name("of a memory"), cursor.originSince(word));
      default -> new MemoryField.InjectOn(triggers(), cursor.originSince(word));
    };
  }

  private <T> List<T> entries(String what, Supplier<T> entry) {
    return blocks.resilientEntries(
        TokenKind.LEFT_BRACE, TokenKind.RIGHT_BRACE, what, this::startsEntry, entry);
  }

  /**
   * Returns whether an entry begins although there was no comma. A field's keyword at the start of
   * a line is more likely the next field, after a missing brace.
   */
  private boolean startsEntry(Token token) {
    boolean newLine = token.span().line() > cursor.previous().span().endLine();
    return token.is(TokenKind.IDENTIFIER)
        && cursor.peek(1).is(TokenKind.COLON)
        && !(newLine && Keywords.MEMORY_FIELDS.contains(token.text()));
  }

  private SchemaField schemaField() {
    var first = cursor.peek();
    var nameNode = words.name("of a field");
    cursor.expect(TokenKind.COLON, "after " + nameNode.text());
    return new SchemaField(nameNode, type(), cursor.originSince(first));
  }

  TypeNode type() {
    var word = cursor.expectOneOf(Keywords.FIELD_TYPES, "type of field");
    if (!word.is(Keywords.ENUM)) {
      var primitiveType = ValueParser.constant(FieldType.PrimitiveType.values(), word.text());
      return new TypeNode.Plain(primitiveType, new NodeOrigin(word.span()));
    }
    var values =
        blocks.entries(
            TokenKind.LEFT_PARENTHESIS,
            TokenKind.RIGHT_PARENTHESIS,
            "a value",
            () -> words.text("as a value of the enum"));
    return new TypeNode.Enumeration(values, cursor.originSince(word));
  }

  RetentionNode retention() {
    var first = cursor.peek();
    if (first.is(TokenKind.DURATION) || first.is(TokenKind.NUMBER)) {
      return new RetentionNode.For(words.duration("as a retention"), cursor.originSince(first));
    }
    var word = cursor.expectOneOf(Keywords.RETENTIONS, "retention");
    return switch (word.text()) {
      case "persistent" -> new RetentionNode.Persistent(new NodeOrigin(word.span()));
      case "session" -> new RetentionNode.SessionRetentionNode(new NodeOrigin(word.span()));
      case "scope" -> new RetentionNode.ScopeRetentionNode(new NodeOrigin(word.span()));
      case "max" -> new RetentionNode.Max(words.argument(word), cursor.originSince(word));
      default -> {
        cursor.expect(TokenKind.COLON, "after compress_on");
        yield new RetentionNode.CompressOn(words.trigger(), cursor.originSince(word));
      }
    };
  }

  private IndexEntry indexEntry() {
    var first = cursor.peek();
    var field = words.name("of a field");
    cursor.expect(TokenKind.COLON, "after " + field.text());
    var type = words.constant(IndexType.values(), Keywords.INDEX_TYPES, "kind of index");
    return new IndexEntry(field, type, cursor.originSince(first));
  }

  LifecycleNode lifecycle() {
    var word = cursor.expectOneOf(Keywords.LIFECYCLES, "lifecycle");
    if (word.is("explicit")) {
      return new LifecycleNode.Explicit(new NodeOrigin(word.span()));
    }
    words.open(word);
    var trigger = words.trigger();
    words.close(word);
    return new LifecycleNode.AutoClose(trigger, cursor.originSince(word));
  }

  private List<TextNode> artifacts() {
    return blocks.entries(
        TokenKind.LEFT_BRACKET,
        TokenKind.RIGHT_BRACKET,
        "an artifact type",
        () -> words.text("as an artifact type"));
  }

  private List<TriggerNode> triggers() {
    Predicate<Token> starts =
        token -> token.is(TokenKind.IDENTIFIER) && Keywords.TRIGGERS.contains(token.text());
    return blocks.resilientEntries(
        TokenKind.LEFT_BRACKET, TokenKind.RIGHT_BRACKET, "a trigger", starts, words::trigger);
  }
}
