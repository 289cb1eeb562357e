package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import java.util.Optional;
import java.util.function.Function;

/**
 * Parts of the language that stand alone, as the texts of a pack do: a retention, a trigger, a
 * filter. What is wrong is reported at its place inside the text where the text is written as it
 * reads, and at the whole text where it has escapes or several lines.
 */
public final class Fragment {
  private final TokenCursor cursor;
  private final WordParser words;
  private final BlockParser blocks;

  private Fragment(TokenCursor cursor) {
    this.cursor = cursor;
    this.words = new WordParser(cursor);
    this.blocks = new BlockParser(cursor);
  }

  public static Optional<TypeNode> type(Text text, Diagnostics diagnostics) {
    return parse(text, diagnostics, fragment -> fragment.memories().type());
  }

  public static Optional<RetentionNode> retention(Text text, Diagnostics diagnostics) {
    return parse(text, diagnostics, fragment -> fragment.memories().retention());
  }

  public static Optional<LifecycleNode> lifecycle(Text text, Diagnostics diagnostics) {
    return parse(text, diagnostics, fragment -> fragment.memories().lifecycle());
  }

  public static Optional<TriggerNode> trigger(Text text, Diagnostics diagnostics) {
    return parse(text, diagnostics, fragment -> fragment.words.trigger());
  }

  public static Optional<ActionNode> action(Text text, Diagnostics diagnostics) {
    return parse(text, diagnostics, fragment -> fragment.policies().action());
  }

  public static Optional<ModeNode> mode(Text text, Diagnostics diagnostics) {
    return parse(text, diagnostics, fragment -> fragment.words.mode());
  }

  public static Optional<FilterNode> filter(Text text, Diagnostics diagnostics) {
    return parse(text, diagnostics, fragment -> fragment.filters().filter());
  }

  public static Optional<Name> name(Text text, Diagnostics diagnostics) {
    return parse(text, diagnostics, fragment -> fragment.words.name("of a memory"));
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
      Text text, Diagnostics diagnostics, Function<Fragment, T> part) {
    int before = diagnostics.size();
    var cursor = new TokenCursor(new Lexer(reader(text), diagnostics).lex().tokens(), diagnostics);
    try {
      T node = part.apply(new Fragment(cursor));
      if (!cursor.atEnd()) {
        throw cursor.unexpected("nothing after it");
      }
      return diagnostics.size() == before ? Optional.of(node) : Optional.empty();
    } catch (Unparsable _) {
      return Optional.empty();
    }
  }

  private static SourceReader reader(Text text) {
    return text.isVerbatim()
        ? SourceReader.at(text.value(), inside(text))
        : SourceReader.within(text.value(), text.span());
  }

  private static Span inside(Text text) {
    var span = text.span();
    return new Span(span.line(), span.column() + 1, span.line(), span.column() + 1);
  }
}
