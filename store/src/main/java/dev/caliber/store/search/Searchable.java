package dev.caliber.store.search;

import dev.caliber.kernel.FieldHash;
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
 * Declaration that makes a table's records searchable. It is immutable; each method returns a new
 * one. A function may return null where a record has no value.
 *
 * <pre>{@code
 * Searchable.of(TURNS).body(Turn::text).speaker(Turn::author).group(Turn::session)
 *     .position(Turn::number).documentTime(Turn::time).keyword("agent", Turn::agent)
 * }</pre>
 */
public final class Searchable<T> {
  /** Separator of table and key in the id of a document. */
  public static final char BETWEEN = '/';

  /** Role of a text in its document; settings give each a weight. */
  public enum TextRole {
    BODY,
    TITLE,
    SPEAKER
  }

  /** Kind of values of a filter field. */
  public enum FilterFieldKind {
    KEYWORD,
    NUMBER,
    TIME,
    FLAG
  }

  public record SearchableText<T>(TextRole role, Function<T, @Nullable String> value) {}

  record SearchableLinks<T>(String table, Function<T, ? extends Collection<String>> keys) {}

  public record FilterField<T>(
      FilterFieldKind kind, Function<T, ? extends @Nullable Object> value) {}

  private final Table<T> table;
  private final SearchableDraft<T> parts;

  private Searchable(Table<T> table, SearchableDraft<T> parts) {
    this.table = table;
    this.parts = parts;
  }

  public static <T> Searchable<T> of(Table<T> table) {
    return new Searchable<>(table, new SearchableDraft<>());
  }

  /**
   * Declares the text itself; it is also embedded, unless {@link #embedded} declares another one.
   */
  public Searchable<T> body(Function<T, @Nullable String> value) {
    return with(
        searchableDraft -> searchableDraft.texts.add(new SearchableText<>(TextRole.BODY, value)));
  }

  public Searchable<T> title(Function<T, @Nullable String> value) {
    return with(
        searchableDraft -> searchableDraft.texts.add(new SearchableText<>(TextRole.TITLE, value)));
  }

  /** Declares the speaker. */
  public Searchable<T> speaker(Function<T, @Nullable String> value) {
    return with(
        searchableDraft ->
            searchableDraft.texts.add(new SearchableText<>(TextRole.SPEAKER, value)));
  }

  /** Declares the text that is embedded instead of the body. */
  public Searchable<T> embedded(Function<T, @Nullable String> value) {
    return with(searchableDraft -> searchableDraft.embedded = value);
  }

  /** Excludes the records from embedding: they are found by their words only. */
  public Searchable<T> notEmbedded() {
    return with(searchableDraft -> searchableDraft.embedded = _ -> null);
  }

  /** Declares a field for filters, compared as a whole. */
  public Searchable<T> keyword(String field, Function<T, @Nullable String> value) {
    return field(field, FilterFieldKind.KEYWORD, value);
  }

  /** Declares a field for filters with any number of values, such as tags. */
  public Searchable<T> keywords(String field, Function<T, ? extends Collection<String>> value) {
    return field(field, FilterFieldKind.KEYWORD, value);
  }

  public Searchable<T> number(String field, Function<T, ? extends @Nullable Number> value) {
    return field(field, FilterFieldKind.NUMBER, value);
  }

  public Searchable<T> time(String field, Function<T, @Nullable Instant> value) {
    return field(field, FilterFieldKind.TIME, value);
  }

  public Searchable<T> flag(String field, Function<T, @Nullable Boolean> value) {
    return field(field, FilterFieldKind.FLAG, value);
  }

  /** Declares the time of the document, for periods and recency. */
  public Searchable<T> documentTime(Function<T, @Nullable Instant> value) {
    return with(searchableDraft -> searchableDraft.time = value);
  }

  /** Declares the trust in the document, from 0 to 1. */
  public Searchable<T> trust(Function<T, @Nullable Double> value) {
    return with(searchableDraft -> searchableDraft.trust = value);
  }

  /**
   * Declares the group that contains the document, such as its session; equal texts are one group
   * in all tables.
   */
  public Searchable<T> group(Function<T, @Nullable String> value) {
    return with(searchableDraft -> searchableDraft.group = value);
  }

  /** Declares the document's position in its group: the next greater one follows it. */
  public Searchable<T> position(Function<T, ? extends @Nullable Number> value) {
    return with(searchableDraft -> searchableDraft.position = value);
  }

  /**
   * Declares the keys of records of a table that it points to: what supports, corrects or follows.
   */
  public Searchable<T> links(Table<?> to, Function<T, ? extends Collection<String>> keys) {
    return with(
        searchableDraft -> searchableDraft.links.add(new SearchableLinks<>(to.name(), keys)));
  }

  /** Restricts the index to records that pass. */
  public Searchable<T> onlyIf(Predicate<T> passes) {
    return with(searchableDraft -> searchableDraft.included = searchableDraft.included.and(passes));
  }

  /**
   * Sets the version of the declaration. Raise it when the declaration's functions change their
   * meaning: the index is then rebuilt. Changes of names and kinds are detected without it.
   */
  public Searchable<T> version(int number) {
    return with(searchableDraft -> searchableDraft.version = number);
  }

  public Table<T> table() {
    return table;
  }

  public boolean includes(T record) {
    return parts.included.test(record);
  }

  public List<SearchableText<T>> texts() {
    return parts.texts;
  }

  /** Returns the embedded text of a record; empty for none. */
  public String embeddedText(T record) {
    String text = parts.embedded == null ? bodyOf(record) : parts.embedded.apply(record);
    return text == null ? "" : text.strip();
  }

  /** Returns the whole body. */
  public String bodyOf(T record) {
    List<String> bodies = new ArrayList<>();
    for (SearchableText<T> searchableText : parts.texts) {
      String value =
          searchableText.role() == TextRole.BODY ? searchableText.value().apply(record) : null;
      if (value != null) {
        bodies.add(value);
      }
    }
    return String.join("\n", bodies);
  }

  public Map<String, FilterField<T>> fields() {
    return parts.fields;
  }

  @Nullable
  public Instant timeOf(T record) {
    return parts.time.apply(record);
  }

  @Nullable
  public Double trustOf(T record) {
    return parts.trust.apply(record);
  }

  @Nullable
  public String groupOf(T record) {
    return parts.group.apply(record);
  }

  @Nullable
  public Number positionOf(T record) {
    return parts.position.apply(record);
  }

  /** Returns the id of a record's document. */
  public static String documentId(String table, String key) {
    return table + BETWEEN + key;
  }

  /** Returns the ids of the documents that a record links to, without its own. */
  public Set<String> linksOf(T record, String id) {
    Set<String> linked = new TreeSet<>();
    for (SearchableLinks<T> link : parts.links) {
      link.keys().apply(record).forEach(key -> linked.add(documentId(link.table(), key)));
    }
    linked.remove(id);
    return linked;
  }

  /** Returns a hash that changes with the declaration's names, kinds and version. */
  public String fingerprint() {
    var shape = new ArrayList<String>();
    shape.add(table.name());
    shape.add(Integer.toString(parts.version));
    parts.texts.forEach(searchableText -> shape.add(searchableText.role().name()));
    parts.fields.forEach((name, filterField) -> shape.add(name + "=" + filterField.kind()));
    parts.links.forEach(link -> shape.add("links to " + link.table()));
    return FieldHash.hash("searchable", shape.toArray(String[]::new));
  }

  private Searchable<T> field(
      String name, FilterFieldKind filterFieldKind, Function<T, ? extends @Nullable Object> value) {
    return with(
        searchableDraft -> {
          if (searchableDraft.fields.put(name, new FilterField<>(filterFieldKind, value)) != null) {
            throw new IllegalArgumentException("Field '%s' is declared twice".formatted(name));
          }
        });
  }

  private Searchable<T> with(Consumer<SearchableDraft<T>> change) {
    SearchableDraft<T> searchableDraft = new SearchableDraft<>(parts);
    change.accept(searchableDraft);
    return new Searchable<>(table, searchableDraft);
  }

  private static final class SearchableDraft<T> {
    final List<SearchableText<T>> texts = new ArrayList<>();
    final Map<String, FilterField<T>> fields = new LinkedHashMap<>();
    final List<SearchableLinks<T>> links = new ArrayList<>();
    @Nullable Function<T, @Nullable String> embedded;
    Function<T, @Nullable Instant> time = _ -> null;
    Function<T, @Nullable Double> trust = _ -> null;
    Function<T, @Nullable String> group = _ -> null;
    Function<T, ? extends @Nullable Number> position = _ -> null;
    Predicate<T> included = _ -> true;
    int version = 1;

    SearchableDraft() {}

    SearchableDraft(SearchableDraft<T> other) {
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
