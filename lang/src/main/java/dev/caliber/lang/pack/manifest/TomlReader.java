package dev.caliber.lang.pack.manifest;

import dev.caliber.kernel.toml.TomlLines;
import dev.caliber.kernel.toml.TomlText;
import dev.caliber.lang.ast.BooleanNode;
import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.ast.NodeOrigin;
import dev.caliber.lang.ast.NumberNode;
import dev.caliber.lang.ast.SyntaxBounds;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseOptions;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;
import org.tomlj.TomlVersion;

/** Reads a source of TOML into a tree with positions; reports and leaves out errors. */
public final class TomlReader {
  private static final TomlParseOptions OPTIONS =
      TomlParseOptions.sourceless()
          .withVersion(TomlVersion.V1_0_0)
          .withMaxNestingDepth(PackBounds.NESTING);

  private final TomlSpanFinder places;
  private final TomlLines lines;
  private final Diagnostics diagnostics;

  private TomlReader(String source, Diagnostics diagnostics) {
    var text = new TomlText(source);
    this.places = new TomlSpanFinder(text);
    this.lines = TomlLines.of(text);
    this.diagnostics = diagnostics;
  }

  public static JsonValueNode.Members read(String source, Diagnostics diagnostics) {
    var reader = new TomlReader(source, diagnostics);
    return reader.read(Toml.parse(reader.lines.text(), OPTIONS));
  }

  private JsonValueNode.Members read(TomlParseResult parsed) {
    for (TomlParseError error : parsed.errors()) {
      diagnostics.report(
          DiagnosticCode.INVALID_TOML,
          places.pointSpan(lines.originalPosition(error.position())),
          printable(lines.originalMessage(String.valueOf(error.getMessage()))),
          "write valid TOML 1.0");
    }
    return table(parsed, NodeOrigin.NONE.span());
  }

  private static String printable(String message) {
    return message.replaceAll("\\p{Cntrl}", " ");
  }

  private JsonValueNode.Members table(TomlTable table, Span span) {
    var members = new ArrayList<JsonValueNode.Member>();
    for (var entry : table.entrySet()) {
      var position = table.inputPositionOf(List.of(entry.getKey()));
      var key = position == null ? span : places.keySpan(lines.originalPosition(position));
      var value = position == null ? span : places.valueSpanOfKey(lines.originalPosition(position));
      text(entry.getKey(), key)
          .ifPresent(
              name ->
                  value(entry.getValue(), value)
                      .ifPresent(node -> members.add(member(name, node))));
    }
    return new JsonValueNode.Members(members, new NodeOrigin(span));
  }

  private static JsonValueNode.Member member(TextNode key, JsonValueNode value) {
    var last = value.span().startsBefore(key.span()) ? key.span() : value.span();
    return new JsonValueNode.Member(key, value, new NodeOrigin(Span.between(key.span(), last)));
  }

  private JsonValueNode items(TomlArray array, Span span) {
    var items = new ArrayList<JsonValueNode>();
    for (int i = 0; i < array.size(); i++) {
      value(array.get(i), spanOf(array.inputPositionOf(i), span)).ifPresent(items::add);
    }
    return new JsonValueNode.Items(items, new NodeOrigin(span));
  }

  private Span spanOf(@Nullable TomlPosition position, Span otherwise) {
    return position == null ? otherwise : places.valueSpan(lines.originalPosition(position));
  }

  private Optional<? extends JsonValueNode> value(Object value, Span span) {
    return switch (value) {
      case String text -> text(text, span);
      case Long number ->
          Optional.of(new NumberNode(BigDecimal.valueOf(number), new NodeOrigin(span)));
      case Double number -> number(number, span);
      case Boolean flag -> Optional.of(new BooleanNode(flag, new NodeOrigin(span)));
      case TomlArray array -> Optional.of(items(array, span));
      case TomlTable table -> Optional.of(table(table, span));
      default -> reportRefused(span, "a date or a time", "write it as a text in quotation marks");
    };
  }

  private Optional<TextNode> text(String value, Span span) {
    if (value.length() > SyntaxBounds.TEXT) {
      diagnostics.report(
          DiagnosticCode.TOKEN_TOO_LONG,
          span,
          "a text of " + value.length() + " characters",
          "at most " + SyntaxBounds.TEXT + " characters");
      return Optional.empty();
    }
    if (value.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)) {
      diagnostics.report(
          DiagnosticCode.INVALID_ESCAPE,
          span,
          "half of a surrogate pair in " + DiagnosticText.quote(value),
          "write the character itself");
      return Optional.empty();
    }
    return Optional.of(new TextNode(value, new NodeOrigin(span)));
  }

  private Optional<NumberNode> number(double value, Span span) {
    if (!Double.isFinite(value)) {
      return reportRefused(span, "not a finite number", "write digits");
    }
    var number = BigDecimal.valueOf(value);
    return number.toPlainString().length() > SyntaxBounds.NUMBER
        ? reportRefused(span, "a number of too many digits", "write a number nearer to 1")
        : Optional.of(new NumberNode(number, new NodeOrigin(span)));
  }

  private <T> Optional<T> reportRefused(Span span, String found, String suggestion) {
    diagnostics.report(DiagnosticCode.WRONG_VALUE_TYPE, span, "found " + found, suggestion);
    return Optional.empty();
  }
}
