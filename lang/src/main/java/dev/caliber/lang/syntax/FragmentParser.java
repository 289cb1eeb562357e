package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.ActionNode;
import dev.caliber.lang.ast.FilterNode;
import dev.caliber.lang.ast.LifecycleNode;
import dev.caliber.lang.ast.ModeNode;
import dev.caliber.lang.ast.NameNode;
import dev.caliber.lang.ast.RetentionNode;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.ast.TriggerNode;
import dev.caliber.lang.ast.TypeNode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import java.util.Optional;
import java.util.function.Function;

/**
 * Parses parts of the language that are the texts of a pack: a retention, a trigger, a filter.
 * Errors are reported at their position inside the text, or at the whole text if it has escapes or
 * several lines.
 */
public final class FragmentParser {
  private final TokenCursor cursor;
  private final ValueParser words;
  private final BlockParser blocks;

  private FragmentParser(TokenCursor cursor) {
    this.cursor = cursor;
    this.words = new ValueParser(cursor);
    this.blocks = new BlockParser(cursor);
  }

  public static Optional<TypeNode> type(TextNode textNode, Diagnostics diagnostics) {
    return parse(textNode, diagnostics, fragmentParser -> fragmentParser.memories().type());
  }

  public static Optional<RetentionNode> retention(TextNode textNode, Diagnostics diagnostics) {
    return parse(textNode, diagnostics, fragmentParser -> fragmentParser.memories().retention());
  }

  public static Optional<LifecycleNode> lifecycle(TextNode textNode, Diagnostics diagnostics) {
    return parse(textNode, diagnostics, fragmentParser -> fragmentParser.memories().lifecycle());
  }

  public static Optional<TriggerNode> trigger(TextNode textNode, Diagnostics diagnostics) {
    return parse(textNode, diagnostics, fragmentParser -> fragmentParser.words.trigger());
  }

  public static Optional<ActionNode> action(TextNode textNode, Diagnostics diagnostics) {
    return parse(textNode, diagnostics, fragmentParser -> fragmentParser.policies().action());
  }

  public static Optional<ModeNode> mode(TextNode textNode, Diagnostics diagnostics) {
    return parse(textNode, diagnostics, fragmentParser -> fragmentParser.words.mode());
  }

  public static Optional<FilterNode> filter(TextNode textNode, Diagnostics diagnostics) {
    return parse(textNode, diagnostics, fragmentParser -> fragmentParser.filters().filter());
  }

  public static Optional<NameNode> name(TextNode textNode, Diagnostics diagnostics) {
    return parse(textNode, diagnostics, fragmentParser -> fragmentParser.words.name("of a memory"));
  }

  private MemoryParser memories() {
    return new MemoryParser(cursor, words, blocks);
  }

  private PolicyParser policies() {
    return new PolicyParser(cursor, words, blocks);
  }

  private FilterParser filters() {
    return new FilterParser(cursor, words);
  }

  private static <T> Optional<T> parse(
      TextNode textNode, Diagnostics diagnostics, Function<FragmentParser, T> part) {
    int before = diagnostics.size();
    var cursor =
        new TokenCursor(new Lexer(reader(textNode), diagnostics).lex().tokens(), diagnostics);
    try {
      T node = part.apply(new FragmentParser(cursor));
      if (!cursor.isAtEnd()) {
        throw cursor.unexpected("nothing after it");
      }
      return diagnostics.size() == before ? Optional.of(node) : Optional.empty();
    } catch (UnparsableException _) {
      return Optional.empty();
    }
  }

  private static SourceReader reader(TextNode textNode) {
    return textNode.isVerbatim()
        ? SourceReader.startingAt(textNode.value(), inside(textNode))
        : SourceReader.atOneSpan(textNode.value(), textNode.span());
  }

  private static Span inside(TextNode textNode) {
    var span = textNode.span();
    return new Span(span.line(), span.column() + 1, span.line(), span.column() + 1);
  }
}
