package dev.caliber.lang.syntax;

import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.lang.ast.BooleanNode;
import dev.caliber.lang.ast.FilterNode;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.NameNode;
import dev.caliber.lang.ast.NodeOrigin;
import dev.caliber.lang.ast.ValueNode;
import dev.caliber.lang.diagnostic.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Parses filters; {@code and} binds tighter than {@code or}. */
final class FilterParser {
  private static final String COMPARATORS =
      Stream.of(ComparisonOperator.values())
          .map(ComparisonOperator::symbol)
          .collect(Collectors.joining(" "));

  private final TokenCursor cursor;
  private final ValueParser words;
  private final NestingLimit nestingLimit;

  FilterParser(TokenCursor cursor, ValueParser words) {
    this.cursor = cursor;
    this.words = words;
    this.nestingLimit = new NestingLimit(cursor);
  }

  FilterNode filter() {
    return chain(Keywords.OR, this::conjunction, FilterNode.Or::new);
  }

  private FilterNode conjunction() {
    return chain(Keywords.AND, this::primary, FilterNode.And::new);
  }

  private FilterNode chain(
      String word,
      Supplier<FilterNode> part,
      BiFunction<List<FilterNode>, NodeOrigin, FilterNode> whole) {
    var first = cursor.peek();
    var parts = new ArrayList<FilterNode>();
    parts.add(part.get());
    while (cursor.isAt(word)) {
      cursor.next();
      parts.add(part.get());
    }
    return parts.size() == 1 ? parts.getFirst() : whole.apply(parts, cursor.originSince(first));
  }

  private FilterNode primary() {
    if (!cursor.isAt(TokenKind.LEFT_PARENTHESIS)) {
      return comparison();
    }
    cursor.next();
    var inside = nestingLimit.parseNested(this::filter);
    cursor.expect(TokenKind.RIGHT_PARENTHESIS, "to close the parenthesis of the filter");
    return inside;
  }

  private FilterNode comparison() {
    if (cursor.isAt(Keywords.NOT)) {
      throw cursor.unexpected("'!=' between field and value; there is no 'not'");
    }
    if (cursor.isAt(TokenKind.IDENTIFIER) && Keywords.FILTER_WORDS.contains(cursor.peek().text())) {
      throw cursor.unexpected("the name of a field");
    }
    var field = words.name("of a field");
    var sign = cursor.peek();
    var comparisonOperator = comparator();
    var value = value();
    return new FilterNode.Comparison(
        field,
        comparisonOperator,
        new NodeOrigin(sign.span()),
        value,
        new NodeOrigin(Span.between(field.span(), value.span())));
  }

  private ComparisonOperator comparator() {
    var token = cursor.peek();
    if (token.is(TokenKind.COMPARATOR) || token.is(Keywords.CONTAINS)) {
      for (ComparisonOperator comparisonOperator : ComparisonOperator.values()) {
        if (comparisonOperator.symbol().equals(token.text())) {
          cursor.next();
          return comparisonOperator;
        }
      }
    }
    throw cursor.unexpected("a comparator: " + COMPARATORS);
  }

  private ValueNode value() {
    var token = cursor.peek();
    return switch (token.kind()) {
      case STRING -> words.text("as a value");
      case NUMBER -> words.number("as a value");
      case DURATION -> words.duration("as a value");
      case IDENTIFIER -> word(token);
      case LEFT_BRACE,
          RIGHT_BRACE,
          LEFT_PARENTHESIS,
          RIGHT_PARENTHESIS,
          LEFT_BRACKET,
          RIGHT_BRACKET,
          COLON,
          COMMA,
          COMPARATOR,
          END ->
          throw cursor.unexpected("a value to compare with");
    };
  }

  private ValueNode word(Token token) {
    var nodeOrigin = new NodeOrigin(token.span());
    if (Keywords.FILTER_WORDS.contains(token.text()) || token.is(Keywords.NULL)) {
      throw cursor.unexpected("a value to compare with");
    }
    cursor.next();
    return switch (token.text()) {
      case Keywords.TRUE -> new BooleanNode(true, nodeOrigin);
      case Keywords.FALSE -> new BooleanNode(false, nodeOrigin);
      case Keywords.CURRENT_TRAJECTORY -> new ValueNode.CurrentTrajectory(nodeOrigin);
      case Keywords.NOW -> {
        words.open(token);
        words.close(token);
        yield new ValueNode.CurrentTime(cursor.originSince(token));
      }
      default -> new ValueNode.Word(new NameNode(token.text(), nodeOrigin), nodeOrigin);
    };
  }
}
