package dev.caliber.lang.pack.manifest;

import dev.caliber.lang.ast.BooleanNode;
import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.ast.Node;
import dev.caliber.lang.ast.NodeOrigin;
import dev.caliber.lang.ast.NumberNode;
import dev.caliber.lang.ast.TextNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A table as rules read it: a missing value, or one of another type, is empty. */
public record ManifestTable(JsonValueNode.Members members) implements Node {
  static final ManifestTable NONE =
      new ManifestTable(new JsonValueNode.Members(List.of(), NodeOrigin.NONE));

  /** A table inside a table, by its name. */
  public record NamedTable(TextNode name, ManifestTable table) {}

  @Override
  public NodeOrigin origin() {
    return members.origin();
  }

  public Optional<JsonValueNode.Member> member(String key) {
    return members.members().stream().filter(m -> m.key().value().equals(key)).findFirst();
  }

  private <T> Optional<T> value(String key, Class<T> type) {
    return member(key).map(JsonValueNode.Member::value).filter(type::isInstance).map(type::cast);
  }

  public boolean has(String key) {
    return member(key).isPresent();
  }

  public Optional<TextNode> text(String key) {
    return value(key, TextNode.class);
  }

  public Optional<NumberNode> number(String key) {
    return value(key, NumberNode.class);
  }

  Optional<BooleanNode> flag(String key) {
    return value(key, BooleanNode.class);
  }

  /** Returns the constant for a word. */
  public <E extends Enum<E>> Optional<E> enumValue(String key, Class<E> type) {
    return text(key).map(word -> constant(type, word));
  }

  /** Returns the constant for a word that was checked before. */
  public static <E extends Enum<E>> E constant(Class<E> type, TextNode word) {
    return Enum.valueOf(type, word.value().toUpperCase(Locale.ROOT));
  }

  public boolean isTrue(String key) {
    return flag(key).map(BooleanNode::value).orElse(false);
  }

  public Optional<ManifestTable> findTable(String key) {
    return value(key, JsonValueNode.Members.class).map(ManifestTable::new);
  }

  public ManifestTable table(String key) {
    return findTable(key).orElse(NONE);
  }

  public List<TextNode> texts(String key) {
    return items(key, TextNode.class).toList();
  }

  public List<ManifestTable> tables(String key) {
    return items(key, JsonValueNode.Members.class).map(ManifestTable::new).toList();
  }

  private <T> Stream<T> items(String key, Class<T> type) {
    return value(key, JsonValueNode.Items.class).stream()
        .flatMap(items -> items.values().stream())
        .filter(type::isInstance)
        .map(type::cast);
  }

  /** Returns the tables in it. */
  List<NamedTable> namedTables() {
    return members.members().stream().flatMap(ManifestTable::namedTable).toList();
  }

  private static Stream<NamedTable> namedTable(JsonValueNode.Member member) {
    return member.value() instanceof JsonValueNode.Members inner
        ? Stream.of(new NamedTable(member.key(), new ManifestTable(inner)))
        : Stream.empty();
  }
}
