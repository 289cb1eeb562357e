package dev.caliber.lang.pack.manifest;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The shape of a value of {@code cal.toml}. The reader, the JSON Schema for editors and the page of
 * keys all follow these declarations.
 */
sealed interface ValueShape {
  /** Returns the title in diagnostics. */
  String title();

  /**
   * A text that is not empty.
   *
   * @param title its meaning, such as "a path in the pack"
   */
  record TextShape(String title) implements ValueShape {}

  /** One of several words. */
  record ChoiceShape(List<String> words) implements ValueShape {
    public ChoiceShape {
      words = List.copyOf(words);
    }

    @Override
    public String title() {
      return "one of " + String.join(", ", words);
    }
  }

  /** A whole number. */
  record IntegerShape(long min, long max) implements ValueShape {
    @Override
    public String title() {
      return "a whole number from " + min + " to " + max;
    }
  }

  /** True or false. */
  record BooleanShape() implements ValueShape {
    @Override
    public String title() {
      return "true or false";
    }
  }

  /** A list of values of one shape. */
  record ListShape(ValueShape item, boolean nonEmpty) implements ValueShape {
    @Override
    public String title() {
      return "a list";
    }
  }

  /** A table with certain keys. */
  record TableShape(List<ManifestKey> keys) implements ValueShape {
    public TableShape {
      keys = List.copyOf(keys);
    }

    static TableShape of(ManifestKey... keys) {
      return new TableShape(List.of(keys));
    }

    List<String> names() {
      return keys.stream().map(ManifestKey::name).toList();
    }

    @Override
    public String title() {
      return "a table";
    }
  }

  /** A table whose keys are names that the pack chooses. */
  record NamedEntriesShape(String what, ValueShape value) implements ValueShape {
    /** Pattern of names. */
    static final String NAME = "[a-z_][a-z0-9_]*";

    @Override
    public String title() {
      return "a table";
    }
  }

  /** A table with certain keys, which depend on the word of one of them. */
  record VariantTableShape(ManifestKey discriminator, Map<String, TableShape> groups)
      implements ValueShape {
    public VariantTableShape {
      groups = Collections.unmodifiableMap(new TreeMap<>(groups));
    }

    /** Returns the keys of one variant, or of all variants if the word is unknown. */
    TableShape variant(String word) {
      var chosen = groups.get(word);
      return chosen != null ? with(chosen.keys().stream()) : with(allKeys());
    }

    private TableShape with(Stream<ManifestKey> keys) {
      return new TableShape(Stream.concat(Stream.of(discriminator), keys).toList());
    }

    /** Returns every key once, none of them required. */
    private Stream<ManifestKey> allKeys() {
      var all = new LinkedHashMap<String, ManifestKey>();
      groups.values().stream()
          .flatMap(tableShape -> tableShape.keys().stream())
          .forEach(
              manifestKey ->
                  all.put(
                      manifestKey.name(),
                      ManifestKey.optional(
                          manifestKey.name(), manifestKey.shape(), manifestKey.sentence())));
      return all.values().stream();
    }

    @Override
    public String title() {
      return "a table";
    }
  }

  /** A table with any content. */
  record FreeTableShape() implements ValueShape {
    @Override
    public String title() {
      return "a table";
    }
  }
}
