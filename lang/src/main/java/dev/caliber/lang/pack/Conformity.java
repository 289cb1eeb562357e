package dev.caliber.lang.pack;

import dev.caliber.kernel.NearestName;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.Flag;
import dev.caliber.lang.syntax.JsonValueNode;
import dev.caliber.lang.syntax.NumberNode;
import dev.caliber.lang.syntax.SyntaxBounds;
import dev.caliber.lang.syntax.Text;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Holds the tree of {@code cal.toml} against the declared keys: reports what is unknown, missing or
 * of another type, and gives a tree of the rest. What is left out was complained of, so that nobody
 * has to do so again.
 */
final class Conformity {
  private static final Pattern NAME = Pattern.compile(Shape.Named.NAME);

  private final Diagnostics diagnostics;
  private final boolean damaged;
  private final Set<Span> hurt = new HashSet<>();
  private final Set<String> lost = new TreeSet<>();

  private Conformity(Diagnostics diagnostics, boolean damaged) {
    this.diagnostics = diagnostics;
    this.damaged = damaged;
  }

  /**
   * What of a tree has its shape.
   *
   * @param lost the sections that may have had more
   * @param hurt the places of tables that lack something
   */
  record Kept(Table root, Set<String> lost, Set<Span> hurt) {}

  /** In a damaged tree nothing is missed. */
  static Kept of(JsonValueNode.Members root, boolean damaged, Diagnostics diagnostics) {
    var conformity = new Conformity(diagnostics, damaged);
    var kept = new Table(conformity.group("", root, Manifest.ROOT));
    if (damaged) {
      conformity.lost.addAll(Manifest.ROOT.names());
    }
    return new Kept(kept, conformity.lost, conformity.hurt);
  }

  private Optional<? extends JsonValueNode> check(String path, JsonValueNode value, Shape shape) {
    return switch (shape) {
      case Shape.Line line -> line(path, value, line);
      case Shape.Choice choice -> choice(path, value, choice);
      case Shape.Whole whole -> whole(path, value, whole);
      case Shape.Truth _ ->
          value instanceof Flag flag ? Optional.of(flag) : wrong(path, value, shape);
      case Shape.Many many -> many(path, value, many);
      case Shape.Group _, Shape.Named _, Shape.Cases _, Shape.Free _ ->
          value instanceof JsonValueNode.Members members
              ? Optional.of(table(path, members, shape))
              : wrong(path, value, shape);
    };
  }

  private JsonValueNode.Members table(String path, JsonValueNode.Members members, Shape shape) {
    return switch (shape) {
      case Shape.Group group -> group(path, members, group);
      case Shape.Named named -> named(path, members, named);
      case Shape.Cases cases -> group(path, members, cases.group(word(members, cases.by())));
      default -> members;
    };
  }

  private static String word(JsonValueNode.Members members, Key key) {
    return new Table(members).text(key.name()).map(Text::value).orElse("");
  }

  private JsonValueNode.Members group(
      String path, JsonValueNode.Members members, Shape.Group group) {
    var kept = new ArrayList<JsonValueNode.Member>();
    var seen = new HashSet<String>();
    for (var member : members.members()) {
      seen.add(member.key().value());
      key(path, member, group).ifPresent(kept::add);
    }
    group.keys().stream()
        .filter(key -> key.required() && !damaged && !seen.contains(key.name()))
        .forEach(key -> missing(path, members, key));
    return new JsonValueNode.Members(kept, members.origin());
  }

  private Optional<JsonValueNode.Member> key(
      String path, JsonValueNode.Member member, Shape.Group group) {
    String name = member.key().value();
    var key = group.keys().stream().filter(known -> known.name().equals(name)).findFirst();
    if (key.isEmpty()) {
      unknown(path, member.key(), group);
      return Optional.empty();
    }
    var kept = kept(member, check(join(path, name), member.value(), key.get().shape()));
    if (path.isEmpty() && kept.isEmpty()) {
      lost.add(name);
    }
    return kept;
  }

  /** In a damaged file the key may belong elsewhere; a section may be meant that is not there. */
  private void unknown(String path, Text key, Shape.Group group) {
    String what = path.isEmpty() ? "section" : "key";
    if (!damaged) {
      diagnostics.report(
          DiagnosticCode.UNKNOWN_KEY,
          key.span(),
          "unknown "
              + what
              + " "
              + Wording.quote(key.value())
              + (path.isEmpty() ? "" : " in " + path),
          () -> Wording.suggest(what, key.value(), group.names()));
    }
    if (path.isEmpty()) {
      NearestName.of(key.value(), group.names()).ifPresent(lost::add);
    }
  }

  private void missing(String path, JsonValueNode.Members members, Key key) {
    diagnostics.report(
        DiagnosticCode.MISSING_KEY,
        members.span(),
        (path.isEmpty() ? "cal.toml" : path) + " has no '" + key.name() + "'",
        "add " + Wording.quote(key.name()) + ", " + key.shape().title() + "; there is no default");
  }

  private JsonValueNode.Members named(
      String path, JsonValueNode.Members members, Shape.Named named) {
    var kept = new ArrayList<JsonValueNode.Member>();
    for (var member : members.members()) {
      int before = diagnostics.size();
      if (isName(member.key(), named.what())) {
        String inner = join(path, member.key().value());
        kept(member, check(inner, member.value(), named.value())).ifPresent(kept::add);
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

  private boolean isName(Text key, String what) {
    String name = key.value();
    boolean good = NAME.matcher(name).matches() && name.length() <= SyntaxBounds.IDENTIFIER;
    if (!good) {
      diagnostics.report(
          DiagnosticCode.INVALID_IDENTIFIER,
          key.span(),
          Wording.quote(name) + " is not a name: names are made of a-z, 0-9 and _",
          "give the " + what + " such a name, at most " + SyntaxBounds.IDENTIFIER + " long");
    }
    return good;
  }

  private static Optional<JsonValueNode.Member> kept(
      JsonValueNode.Member member, Optional<? extends JsonValueNode> value) {
    return value.map(node -> new JsonValueNode.Member(member.key(), node, member.origin()));
  }

  private Optional<? extends JsonValueNode> many(
      String path, JsonValueNode value, Shape.Many many) {
    if (!(value instanceof JsonValueNode.Items items)) {
      return wrong(path, value, many);
    }
    if (many.some() && items.values().isEmpty()) {
      diagnostics.report(
          DiagnosticCode.EMPTY_LIST,
          items.span(),
          path + " is empty",
          "write " + many.item().title() + " into it, or more");
      return Optional.empty();
    }
    var kept = new ArrayList<JsonValueNode>();
    items.values().forEach(item -> check(path, item, many.item()).ifPresent(kept::add));
    return Optional.of(new JsonValueNode.Items(kept, items.origin()));
  }

  private Optional<? extends JsonValueNode> line(
      String path, JsonValueNode value, Shape.Line line) {
    if (!(value instanceof Text text)) {
      return wrong(path, value, line);
    }
    if (text.value().isBlank()) {
      diagnostics.report(
          DiagnosticCode.EMPTY_TEXT, text.span(), path + " is empty", "write " + line.title());
      return Optional.empty();
    }
    return Optional.of(text);
  }

  private Optional<? extends JsonValueNode> choice(
      String path, JsonValueNode value, Shape.Choice choice) {
    if (!(value instanceof Text text)) {
      return wrong(path, value, choice);
    }
    if (!choice.words().contains(text.value())) {
      diagnostics.report(
          DiagnosticCode.UNKNOWN_WORD,
          text.span(),
          "unknown " + path + " " + Wording.quote(text.value()),
          () -> Wording.suggest("word", text.value(), choice.words()));
      return Optional.empty();
    }
    return Optional.of(text);
  }

  private Optional<? extends JsonValueNode> whole(
      String path, JsonValueNode value, Shape.Whole whole) {
    if (!(value instanceof NumberNode number)) {
      return wrong(path, value, whole);
    }
    if (!isWithin(number.value(), whole)) {
      diagnostics.report(
          DiagnosticCode.OUT_OF_RANGE,
          number.span(),
          path + " is " + number.value().toPlainString(),
          "write " + whole.title());
      return Optional.empty();
    }
    return Optional.of(number);
  }

  private static boolean isWithin(BigDecimal value, Shape.Whole whole) {
    return value.stripTrailingZeros().scale() <= 0
        && value.compareTo(BigDecimal.valueOf(whole.min())) >= 0
        && value.compareTo(BigDecimal.valueOf(whole.max())) <= 0;
  }

  private <T> Optional<T> wrong(String path, JsonValueNode value, Shape wanted) {
    diagnostics.report(
        DiagnosticCode.WRONG_VALUE_TYPE,
        value.span(),
        path + " is " + found(value),
        "write " + wanted.title());
    return Optional.empty();
  }

  private static String found(JsonValueNode value) {
    return switch (value) {
      case Text _ -> "a text";
      case NumberNode _ -> "a number";
      case Flag _ -> "true or false";
      case JsonValueNode.Items _ -> "a list";
      case JsonValueNode.Members _ -> "a table";
      case JsonValueNode.Nothing _ -> "nothing";
    };
  }

  private static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
