package dev.caliber.lang.pack.manifest;

import dev.caliber.kernel.NearestName;
import dev.caliber.lang.ast.BooleanNode;
import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.ast.NumberNode;
import dev.caliber.lang.ast.SyntaxBounds;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Compares the tree of {@code cal.toml} with the declared keys: reports unknown and missing keys
 * and wrong types, and returns a tree of the rest. Every omission is reported, so later rules need
 * not report it again.
 */
public final class ManifestShapeCheck {
  private static final Pattern NAME = Pattern.compile(ValueShape.NamedEntriesShape.NAME);

  private final Diagnostics diagnostics;
  private final boolean damaged;
  private final Set<Span> hurt = new HashSet<>();
  private final Set<String> lost = new TreeSet<>();

  private ManifestShapeCheck(Diagnostics diagnostics, boolean damaged) {
    this.diagnostics = diagnostics;
    this.damaged = damaged;
  }

  /**
   * The part of a tree that conforms.
   *
   * @param damagedSections the sections that may have had more
   * @param damagedSpans the spans of tables from which something was left out
   */
  public record ConformingTree(
      ManifestTable root, Set<String> damagedSections, Set<Span> damagedSpans) {}

  /** Checks a tree; in a damaged one, missing keys are not reported. */
  public static ConformingTree checkTree(
      JsonValueNode.Members root, boolean damaged, Diagnostics diagnostics) {
    var manifestShapeCheck = new ManifestShapeCheck(diagnostics, damaged);
    var kept = new ManifestTable(manifestShapeCheck.checkKeys("", root, Manifest.ROOT));
    if (damaged) {
      manifestShapeCheck.lost.addAll(Manifest.ROOT.names());
    }
    return new ConformingTree(kept, manifestShapeCheck.lost, manifestShapeCheck.hurt);
  }

  private Optional<? extends JsonValueNode> check(
      String path, JsonValueNode value, ValueShape valueShape) {
    return switch (valueShape) {
      case ValueShape.TextShape textShape -> checkText(path, value, textShape);
      case ValueShape.ChoiceShape choiceShape -> checkChoice(path, value, choiceShape);
      case ValueShape.IntegerShape integerShape -> checkInteger(path, value, integerShape);
      case ValueShape.BooleanShape _ ->
          value instanceof BooleanNode booleanNode
              ? Optional.of(booleanNode)
              : reportWrongType(path, value, valueShape);
      case ValueShape.ListShape listShape -> checkList(path, value, listShape);
      case ValueShape.TableShape _,
          ValueShape.NamedEntriesShape _,
          ValueShape.VariantTableShape _,
          ValueShape.FreeTableShape _ ->
          value instanceof JsonValueNode.Members members
              ? Optional.of(checkTable(path, members, valueShape))
              : reportWrongType(path, value, valueShape);
    };
  }

  private JsonValueNode.Members checkTable(
      String path, JsonValueNode.Members members, ValueShape valueShape) {
    return switch (valueShape) {
      case ValueShape.TableShape tableShape -> checkKeys(path, members, tableShape);
      case ValueShape.NamedEntriesShape namedEntriesShape ->
          checkNamedEntries(path, members, namedEntriesShape);
      case ValueShape.VariantTableShape variantTableShape ->
          checkKeys(
              path,
              members,
              variantTableShape.variant(word(members, variantTableShape.discriminator())));
      default -> members;
    };
  }

  private static String word(JsonValueNode.Members members, ManifestKey manifestKey) {
    return new ManifestTable(members).text(manifestKey.name()).map(TextNode::value).orElse("");
  }

  private JsonValueNode.Members checkKeys(
      String path, JsonValueNode.Members members, ValueShape.TableShape tableShape) {
    var kept = new ArrayList<JsonValueNode.Member>();
    var seen = new HashSet<String>();
    for (var member : members.members()) {
      seen.add(member.key().value());
      checkKey(path, member, tableShape).ifPresent(kept::add);
    }
    tableShape.keys().stream()
        .filter(
            manifestKey -> manifestKey.required() && !damaged && !seen.contains(manifestKey.name()))
        .forEach(manifestKey -> reportMissing(path, members, manifestKey));
    return new JsonValueNode.Members(kept, members.origin());
  }

  private Optional<JsonValueNode.Member> checkKey(
      String path, JsonValueNode.Member member, ValueShape.TableShape tableShape) {
    String name = member.key().value();
    var key = tableShape.keys().stream().filter(known -> known.name().equals(name)).findFirst();
    if (key.isEmpty()) {
      reportUnknown(path, member.key(), tableShape);
      return Optional.empty();
    }
    var kept = withValue(member, check(join(path, name), member.value(), key.get().shape()));
    if (path.isEmpty() && kept.isEmpty()) {
      lost.add(name);
    }
    return kept;
  }

  /** Reports an unknown key, unless the file is damaged and the key may belong elsewhere. */
  private void reportUnknown(String path, TextNode key, ValueShape.TableShape tableShape) {
    String what = path.isEmpty() ? "section" : "key";
    if (!damaged) {
      diagnostics.report(
          DiagnosticCode.UNKNOWN_KEY,
          key.span(),
          "unknown "
              + what
              + " "
              + DiagnosticText.quote(key.value())
              + (path.isEmpty() ? "" : " in " + path),
          () -> DiagnosticText.suggest(what, key.value(), tableShape.names()));
    }
    if (path.isEmpty()) {
      NearestName.find(key.value(), tableShape.names()).ifPresent(lost::add);
    }
  }

  private void reportMissing(String path, JsonValueNode.Members members, ManifestKey manifestKey) {
    diagnostics.report(
        DiagnosticCode.MISSING_KEY,
        members.span(),
        (path.isEmpty() ? "cal.toml" : path) + " has no '" + manifestKey.name() + "'",
        "add "
            + DiagnosticText.quote(manifestKey.name())
            + ", "
            + manifestKey.shape().title()
            + "; there is no default");
  }

  private JsonValueNode.Members checkNamedEntries(
      String path, JsonValueNode.Members members, ValueShape.NamedEntriesShape namedEntriesShape) {
    var kept = new ArrayList<JsonValueNode.Member>();
    for (var member : members.members()) {
      int before = diagnostics.size();
      if (isName(member.key(), namedEntriesShape.what())) {
        String inner = join(path, member.key().value());
        withValue(member, check(inner, member.value(), namedEntriesShape.value()))
            .ifPresent(kept::add);
      }
      if (diagnostics.size() > before) {
        hurt.add(member.value().span());
      }
    }
    if (kept.size() < members.members().size()) {
      lost.add(path.split("\\.", 2)[0]);
    }
    return new JsonValueNode.Members(kept, members.origin());
  }

  private boolean isName(TextNode key, String what) {
    String name = key.value();
    boolean good = NAME.matcher(name).matches() && name.length() <= SyntaxBounds.IDENTIFIER;
    if (!good) {
      diagnostics.report(
          DiagnosticCode.INVALID_IDENTIFIER,
          key.span(),
          DiagnosticText.quote(name) + " is not a name: names are made of a-z, 0-9 and _",
          "give the " + what + " such a name, at most " + SyntaxBounds.IDENTIFIER + " long");
    }
    return good;
  }

  private static Optional<JsonValueNode.Member> withValue(
      JsonValueNode.Member member, Optional<? extends JsonValueNode> value) {
    return value.map(node -> new JsonValueNode.Member(member.key(), node, member.origin()));
  }

  private Optional<? extends JsonValueNode> checkList(
      String path, JsonValueNode value, ValueShape.ListShape listShape) {
    if (!(value instanceof JsonValueNode.Items items)) {
      return reportWrongType(path, value, listShape);
    }
    if (listShape.nonEmpty() && items.values().isEmpty()) {
      diagnostics.report(
          DiagnosticCode.EMPTY_LIST,
          items.span(),
          path + " is empty",
          "write " + listShape.item().title() + " into it, or more");
      return Optional.empty();
    }
    var kept = new ArrayList<JsonValueNode>();
    items.values().forEach(item -> check(path, item, listShape.item()).ifPresent(kept::add));
    return Optional.of(new JsonValueNode.Items(kept, items.origin()));
  }

  private Optional<? extends JsonValueNode> checkText(
      String path, JsonValueNode value, ValueShape.TextShape textShape) {
    if (!(value instanceof TextNode textNode)) {
      return reportWrongType(path, value, textShape);
    }
    if (textNode.value().isBlank()) {
      diagnostics.report(
          DiagnosticCode.EMPTY_TEXT,
          textNode.span(),
          path + " is empty",
          "write " + textShape.title());
      return Optional.empty();
    }
    return Optional.of(textNode);
  }

  private Optional<? extends JsonValueNode> checkChoice(
      String path, JsonValueNode value, ValueShape.ChoiceShape choiceShape) {
    if (!(value instanceof TextNode textNode)) {
      return reportWrongType(path, value, choiceShape);
    }
    if (!choiceShape.words().contains(textNode.value())) {
      diagnostics.report(
          DiagnosticCode.UNKNOWN_WORD,
          textNode.span(),
          "unknown " + path + " " + DiagnosticText.quote(textNode.value()),
          () -> DiagnosticText.suggest("word", textNode.value(), choiceShape.words()));
      return Optional.empty();
    }
    return Optional.of(textNode);
  }

  private Optional<? extends JsonValueNode> checkInteger(
      String path, JsonValueNode value, ValueShape.IntegerShape integerShape) {
    if (!(value instanceof NumberNode number)) {
      return reportWrongType(path, value, integerShape);
    }
    if (!isWithin(number.value(), integerShape)) {
      diagnostics.report(
          DiagnosticCode.OUT_OF_RANGE,
          number.span(),
          path + " is " + number.value().toPlainString(),
          "write " + integerShape.title());
      return Optional.empty();
    }
    return Optional.of(number);
  }

  private static boolean isWithin(BigDecimal value, ValueShape.IntegerShape integerShape) {
    return value.stripTrailingZeros().scale() <= 0
        && value.compareTo(BigDecimal.valueOf(integerShape.min())) >= 0
        && value.compareTo(BigDecimal.valueOf(integerShape.max())) <= 0;
  }

  private <T> Optional<T> reportWrongType(String path, JsonValueNode value, ValueShape wanted) {
    diagnostics.report(
        DiagnosticCode.WRONG_VALUE_TYPE,
        value.span(),
        path + " is " + describe(value),
        "write " + wanted.title());
    return Optional.empty();
  }

  private static String describe(JsonValueNode value) {
    return switch (value) {
      case TextNode _ -> "a text";
      case NumberNode _ -> "a number";
      case BooleanNode _ -> "true or false";
      case JsonValueNode.Items _ -> "a list";
      case JsonValueNode.Members _ -> "a table";
      case JsonValueNode.NullValue _ -> "nothing";
    };
  }

  private static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
