package dev.caliber.lang.pack;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a value of {@code cal.toml} has to be. The reader, the JSON Schema for editors and the page
 * of keys all follow these declarations.
 */
sealed interface Shape {
  /** How diagnostics call it. */
  String title();

  /**
   * A text that says something.
   *
   * @param title what it is, such as "a path in the pack"
   */
  record Line(String title) implements Shape {}

  /** One of some words. */
  record Choice(List<String> words) implements Shape {
    public Choice {
      words = List.copyOf(words);
    }

    @Override
    public String title() {
      return "one of " + String.join(", ", words);
    }
  }

  /** A whole number. */
  record Whole(long min, long max) implements Shape {
    @Override
    public String title() {
      return "a whole number from " + min + " to " + max;
    }
  }

  /** True or false. */
  record Truth() implements Shape {
    @Override
    public String title() {
      return "true or false";
    }
  }

  /** A list of one thing. */
  record Many(Shape item, boolean some) implements Shape {
    @Override
    public String title() {
      return "a list";
    }
  }

  /** A table with certain keys. */
  record Group(List<Key> keys) implements Shape {
    public Group {
      keys = List.copyOf(keys);
    }

    static Group of(Key... keys) {
      return new Group(List.of(keys));
    }

    List<String> names() {
      return keys.stream().map(Key::name).toList();
    }

    @Override
    public String title() {
      return "a table";
    }
  }

  /** A table whose keys are names that the pack chooses. */
  record Named(String what, Shape value) implements Shape {
    /** What names have to be, as a regular expression. */
    static final String NAME = "[a-z_][a-z0-9_]*";

    @Override
    public String title() {
      return "a table";
    }
  }

  /** A table with certain keys, which depend on the word that one of them has. */
  record Cases(Key by, Map<String, Group> groups) implements Shape {
    public Cases {
      groups = Collections.unmodifiableMap(new TreeMap<>(groups));
    }

    /** The keys of one case, or of all of them if the word is none. */
    Group group(String word) {
      var chosen = groups.get(word);
      return chosen != null ? with(chosen.keys().stream()) : with(all());
    }

    private Group with(Stream<Key> keys) {
      return new Group(Stream.concat(Stream.of(by), keys).toList());
    }

    /** Every key once, none of them required. */
    private Stream<Key> all() {
      var all = new LinkedHashMap<String, Key>();
      groups.values().stream()
          .flatMap(group -> group.keys().stream())
          .forEach(
              key -> all.put(key.name(), Key.optional(key.name(), key.shape(), key.sentence())));
      return all.values().stream();
    }

    @Override
    public String title() {
      return "a table";
    }
  }

  /** A table with anything in it. */
  record Free() implements Shape {
    @Override
    public String title() {
      return "a table";
    }
  }
}
