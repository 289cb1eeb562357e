package dev.caliber.lang.pack;

import dev.caliber.lang.syntax.Flag;
import dev.caliber.lang.syntax.JsonValueNode;
import dev.caliber.lang.syntax.Node;
import dev.caliber.lang.syntax.NumberNode;
import dev.caliber.lang.syntax.Origin;
import dev.caliber.lang.syntax.Text;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A table as rules look at it: a value that is not there, or not of its type, is empty. */
record Table(JsonValueNode.Members members) implements Node {
  static final Table NONE = new Table(new JsonValueNode.Members(List.of(), Origin.NONE));

  /** A table inside a table, by its name. */
  record Entry(Text name, Table table) {}

  @Override
  public Origin origin() {
    return members.origin();
  }

  Optional<JsonValueNode.Member> member(String key) {
    return members.members().stream().filter(m -> m.key().value().equals(key)).findFirst();
  }

  private <T> Optional<T> value(String key, Class<T> type) {
    return member(key).map(JsonValueNode.Member::value).filter(type::isInstance).map(type::cast);
  }

  boolean has(String key) {
    return member(key).isPresent();
  }

  Optional<Text> text(String key) {
    return value(key, Text.class);
  }

  Optional<NumberNode> number(String key) {
    return value(key, NumberNode.class);
  }

  Optional<Flag> flag(String key) {
    return value(key, Flag.class);
  }

  /** The constant that a word stands for. */
  <E extends Enum<E>> Optional<E> word(String key, Class<E> type) {
    return text(key).map(word -> constant(type, word));
  }

  /** For a word that was found to be one of them. */
  static <E extends Enum<E>> E constant(Class<E> type, Text word) {
    return Enum.valueOf(type, word.value().toUpperCase(Locale.ROOT));
  }

  boolean is(String key) {
    return flag(key).map(Flag::value).orElse(false);
  }

  Optional<Table> find(String key) {
    return value(key, JsonValueNode.Members.class).map(Table::new);
  }

  Table table(String key) {
    return find(key).orElse(NONE);
  }

  List<Text> texts(String key) {
    return items(key, Text.class).toList();
  }

  List<Table> tables(String key) {
    return items(key, JsonValueNode.Members.class).map(Table::new).toList();
  }

  private <T> Stream<T> items(String key, Class<T> type) {
    return value(key, JsonValueNode.Items.class).stream()
        .flatMap(items -> items.values().stream())
        .filter(type::isInstance)
        .map(type::cast);
  }

  /** The tables in it. */
  List<Entry> entries() {
    return members.members().stream().flatMap(Table::entry).toList();
  }

  private static Stream<Entry> entry(JsonValueNode.Member member) {
    return member.value() instanceof JsonValueNode.Members inner
        ? Stream.of(new Entry(member.key(), new Table(inner)))
        : Stream.empty();
  }
}
