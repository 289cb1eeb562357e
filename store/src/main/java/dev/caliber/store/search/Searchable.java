package dev.caliber.store.search;

import dev.caliber.kernel.Hashing;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The declaration that makes a table's records searchable. It is immutable; each method returns a
 * new one. A function may return null where a record has nothing to say.
 *
 * <pre>{@code
 * Searchable.of(TURNS).body(Turn::text).speaker(Turn::author).within(Turn::session)
 *     .position(Turn::number).at(Turn::time).keyword("agent", Turn::agent)
 * }</pre>
 */
public final class Searchable<T> {

  /** What a text is to its document; settings say what each counts. */
  enum Role {
    BODY,
    TITLE,
    SPEAKER
  }

  /** What a filter field holds. */
  enum Kind {
    KEYWORD,
    NUMBER,
    TIME,
    FLAG
  }

  record Text<T>(Role role, Function<T, @Nullable String> value) {}

  record Links<T>(String table, Function<T, ? extends Collection<String>> keys) {}

  record Field<T>(Kind kind, Function<T, ? extends @Nullable Object> value) {}

  private final Table<T> table;
  private final Draft<T> parts;

  private Searchable(Table<T> table, Draft<T> parts) {
    this.table = table;
    this.parts = parts;
  }

  public static <T> Searchable<T> of(Table<T> table) {
    return new Searchable<>(table, new Draft<>());
  }

  /** The text itself; it is also what is embedded, unless {@link #embedded} says otherwise. */
  public Searchable<T> body(Function<T, @Nullable String> value) {
    return with(draft -> draft.texts.add(new Text<>(Role.BODY, value)));
  }

  public Searchable<T> title(Function<T, @Nullable String> value) {
    return with(draft -> draft.texts.add(new Text<>(Role.TITLE, value)));
  }

  /** Who says it. */
  public Searchable<T> speaker(Function<T, @Nullable String> value) {
    return with(draft -> draft.texts.add(new Text<>(Role.SPEAKER, value)));
  }

  /** What is embedded, in place of the body. */
  public Searchable<T> embedded(Function<T, @Nullable String> value) {
    return with(draft -> draft.embedded = value);
  }

  /** Found by its words only. */
  public Searchable<T> notEmbedded() {
    return with(draft -> draft.embedded = _ -> null);
  }

  /** A field for filters, compared as a whole. */
  public Searchable<T> keyword(String field, Function<T, @Nullable String> value) {
    return field(field, Kind.KEYWORD, value);
  }

  /** A field for filters with any number of values, such as tags. */
  public Searchable<T> keywords(String field, Function<T, ? extends Collection<String>> value) {
    return field(field, Kind.KEYWORD, value);
  }

  public Searchable<T> number(String field, Function<T, ? extends @Nullable Number> value) {
    return field(field, Kind.NUMBER, value);
  }

  public Searchable<T> time(String field, Function<T, @Nullable Instant> value) {
    return field(field, Kind.TIME, value);
  }

  public Searchable<T> flag(String field, Function<T, @Nullable Boolean> value) {
    return field(field, Kind.FLAG, value);
  }

  /** The time of the document, for periods and recency. */
  public Searchable<T> at(Function<T, @Nullable Instant> value) {
    return with(draft -> draft.time = value);
  }

  /** How far the document is trusted, from 0 to 1. */
  public Searchable<T> trust(Function<T, @Nullable Double> value) {
    return with(draft -> draft.trust = value);
  }

  /** What contains the document, such as its session; the text is the same in every table. */
  public Searchable<T> within(Function<T, @Nullable String> value) {
    return with(draft -> draft.group = value);
  }

  /** The document's place in what contains it: the next greater one follows it. */
  public Searchable<T> position(Function<T, ? extends @Nullable Number> value) {
    return with(draft -> draft.position = value);
  }

  /**
   * The records of a table that it points to, by their keys: what supports, corrects or follows.
   */
  public Searchable<T> links(Table<?> to, Function<T, ? extends Collection<String>> keys) {
    return with(draft -> draft.links.add(new Links<>(to.name(), keys)));
  }

  /** Only records that pass are in the index. */
  public Searchable<T> when(Predicate<T> passes) {
    return with(draft -> draft.included = draft.included.and(passes));
  }

  /**
   * Raise this when the functions of the declaration change their meaning: the index is then built
   * anew. Changes of names and kinds are noticed without it.
   */
  public Searchable<T> version(int number) {
    return with(draft -> draft.version = number);
  }

  Table<T> table() {
    return table;
  }

  boolean includes(T record) {
    return parts.included.test(record);
  }

  List<Text<T>> texts() {
    return parts.texts;
  }

  /** What is embedded of a record; empty for nothing. */
  String embeddedText(T record) {
    String text = parts.embedded == null ? bodyOf(record) : parts.embedded.apply(record);
    return text == null ? "" : text.strip();
  }

  /** All of the text itself. */
  String bodyOf(T record) {
    List<String> bodies = new ArrayList<>();
    for (Text<T> text : parts.texts) {
      String value = text.role() == Role.BODY ? text.value().apply(record) : null;
      if (value != null) {
        bodies.add(value);
      }
    }
    return String.join("\n", bodies);
  }

  Map<String, Field<T>> fields() {
    return parts.fields;
  }

  @Nullable Instant timeOf(T record) {
    return parts.time.apply(record);
  }

  @Nullable Double trustOf(T record) {
    return parts.trust.apply(record);
  }

  @Nullable String groupOf(T record) {
    return parts.group.apply(record);
  }

  @Nullable Number positionOf(T record) {
    return parts.position.apply(record);
  }

  /** The ids of the documents that a record links to, itself left out. */
  Set<String> linksOf(T record, String id) {
    Set<String> linked = new TreeSet<>();
    for (Links<T> link : parts.links) {
      link.keys().apply(record).forEach(key -> linked.add(IndexFormatV1.id(link.table(), key)));
    }
    linked.remove(id);
    return linked;
  }

  /** Changes when the declaration does, as far as that can be seen. */
  String fingerprint() {
    var shape = new ArrayList<String>();
    shape.add(table.name());
    shape.add(Integer.toString(parts.version));
    parts.texts.forEach(text -> shape.add(text.role().name()));
    parts.fields.forEach((name, field) -> shape.add(name + "=" + field.kind()));
    parts.links.forEach(link -> shape.add("links to " + link.table()));
    return Hashing.hash("searchable", shape.toArray(String[]::new));
  }

  private Searchable<T> field(
      String name, Kind kind, Function<T, ? extends @Nullable Object> value) {
    return with(
        draft -> {
          if (draft.fields.put(name, new Field<>(kind, value)) != null) {
            throw new IllegalArgumentException("Field '%s' is declared twice".formatted(name));
          }
        });
  }

  private Searchable<T> with(Consumer<Draft<T>> change) {
    Draft<T> draft = new Draft<>(parts);
    change.accept(draft);
    return new Searchable<>(table, draft);
  }

  private static final class Draft<T> {
    final List<Text<T>> texts = new ArrayList<>();
    final Map<String, Field<T>> fields = new LinkedHashMap<>();
    final List<Links<T>> links = new ArrayList<>();
    @Nullable Function<T, @Nullable String> embedded;
    Function<T, @Nullable Instant> time = _ -> null;
    Function<T, @Nullable Double> trust = _ -> null;
    Function<T, @Nullable String> group = _ -> null;
    Function<T, ? extends @Nullable Number> position = _ -> null;
    Predicate<T> included = _ -> true;
    int version = 1;

    Draft() {}

    Draft(Draft<T> other) {
      texts.addAll(other.texts);
      fields.putAll(other.fields);
      links.addAll(other.links);
      embedded = other.embedded;
      time = other.time;
      trust = other.trust;
      group = other.group;
      position = other.position;
      included = other.included;
      version = other.version;
    }
  }
}
