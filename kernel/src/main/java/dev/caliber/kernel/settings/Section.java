package dev.caliber.kernel.settings;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.Durations;
import dev.caliber.kernel.KernelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table of a settings file, read key by key. Bounds belong to them: they are what the code can
 * work with. A missing or wrong setting is remembered for {@link Settings#verify}, and a value
 * within the bounds stands in for it meanwhile.
 */
public final class Section {
  private static final Pattern KEBAB_CASE = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
  private static final String STAND_IN = "unset";

  private final Settings settings;
  private final String name;
  private final String unit;

  Section(Settings settings, String name) {
    this(settings, name, "");
    for (String part : name.split("\\.", -1)) {
      checkName(part);
    }
  }

  private Section(Settings settings, String name, String unit) {
    this.settings = settings;
    this.name = name;
    this.unit = unit;
  }

  /** Values between two others, and how they are read and written. */
  private record Range<T extends Comparable<T>>(
      String type, T min, T max, Function<Object, @Nullable T> reader, Function<T, String> writer) {
    String text() {
      return writer.apply(min) + " to " + writer.apply(max);
    }

    String wanted() {
      return "a " + type + " from " + text();
    }

    Optional<T> read(Object value) {
      return Optional.ofNullable(reader.apply(value))
          .filter(found -> found.compareTo(min) >= 0 && found.compareTo(max) <= 0);
    }
  }

  /** The dotted name of the section. */
  public String name() {
    return name;
  }

  /** The same section, for numbers that count this. */
  public Section in(String counted) {
    return new Section(settings, name, counted);
  }

  /** Any text, the empty one included. */
  public String text(String key) {
    declare(key, "text", "");
    return read(
        key,
        "text",
        STAND_IN,
        value -> value instanceof String text ? Optional.of(text) : Optional.empty());
  }

  /**
   * A constant of the enum, written in kebab-case: {@code WRITE_AHEAD} is {@code "write-ahead"}.
   */
  public <E extends Enum<E>> E oneOf(String key, Class<E> type) {
    E[] constants = type.getEnumConstants();
    String names = Stream.of(constants).map(Section::kebab).collect(Collectors.joining(", "));
    declare(key, "one of", names);
    return read(
        key,
        "one of " + names,
        constants[0],
        value ->
            Stream.of(constants).filter(constant -> kebab(constant).equals(value)).findFirst());
  }

  public int whole(String key, int min, int max) {
    return (int) whole(key, (long) min, (long) max);
  }

  public long whole(String key, long min, long max) {
    return within(key, wholes(min, max));
  }

  /** A finite number; a whole one will do. */
  public double real(String key, double min, double max) {
    return within(key, new Range<>("number", min, max, Section::numberOf, String::valueOf));
  }

  public boolean flag(String key) {
    declare(key, "flag", "true, false");
    return read(
        key,
        "true or false",
        false,
        value -> value instanceof Boolean flag ? Optional.of(flag) : Optional.empty());
  }

  /** Text such as {@code "30s"}, as {@link Durations} reads it. */
  public Duration duration(String key, Duration min, Duration max) {
    return within(
        key,
        new Range<>(
            "duration", min, max, value -> parsed(value, Durations::parse), Durations::format));
  }

  /** Text such as {@code "64KiB"}, as {@link DataSize} reads it. */
  public DataSize size(String key, DataSize min, DataSize max) {
    return within(
        key,
        new Range<>("size", min, max, value -> parsed(value, DataSize::parse), DataSize::toString));
  }

  /** An array of texts, which may be empty. */
  public List<String> texts(String key) {
    declare(key, "texts", "");
    return read(key, "an array of texts", List.of(), Section::textsOf);
  }

  /** A table whose keys the writer of the file chooses; it may be empty. */
  public SortedMap<String, Integer> wholes(String key, int min, int max) {
    Range<Long> range = wholes(min, max);
    declare(key, "table of whole numbers", range.text());
    settings.requireTable(path(key));
    Section table = new Section(settings, path(key), unit);
    var numbers = new TreeMap<String, Integer>();
    for (String entry : settings.source().keysIn(path(key))) {
      if (KEBAB_CASE.matcher(entry).matches()) {
        numbers.put(entry, table.read(entry, range.wanted(), range.min(), range::read).intValue());
      } else {
        settings.reportName(table.path(entry));
      }
    }
    return Collections.unmodifiableSortedMap(numbers);
  }

  /**
   * Refuses a value that was read, for a reason of the reader's own. The error is made from the
   * place of the key; a key that the file lacks is reported as missing already.
   */
  public void refuse(String key, Function<String, KernelException> error) {
    String path = path(key);
    settings.source().find(path).ifPresent(value -> settings.report(path, value.place(), error));
  }

  private static Range<Long> wholes(long min, long max) {
    return new Range<>("whole number", min, max, Section::wholeOf, String::valueOf);
  }

  private <T extends Comparable<T>> T within(String key, Range<T> range) {
    if (range.min().compareTo(range.max()) > 0) {
      throw KernelException.invalidValue(
          "bounds of " + path(key), "a least value first", range.min() + " and " + range.max());
    }
    declare(key, range.type(), range.text());
    return read(key, range.wanted(), range.min(), range::read);
  }

  private void declare(String key, String type, String range) {
    checkName(key);
    settings.declare(new Declaration(path(key), type, range, unit));
  }

  private <T> T read(String key, String wanted, T standIn, Function<Object, Optional<T>> convert) {
    checkName(key);
    String path = path(key);
    settings.read(path);
    var value = settings.source().find(path);
    if (value.isPresent()) {
      var converted = convert.apply(value.get().value());
      if (converted.isEmpty()) {
        settings.reportInvalid(path, value.get().place(), wanted, describe(value.get().value()));
      }
      return converted.orElse(standIn);
    }
    Place table = settings.source().tables().get(path);
    if (table == null) {
      settings.reportMissing(path);
    } else {
      settings.reportInvalid(path, table, wanted, "a table");
    }
    return standIn;
  }

  private String path(String key) {
    return name + "." + key;
  }

  private static <T> @Nullable T parsed(Object value, Function<String, T> parser) {
    try {
      return value instanceof String text ? parser.apply(text) : null;
    } catch (KernelException _) {
      return null; // reported with the bounds and the place
    }
  }

  private static @Nullable Long wholeOf(Object value) {
    return value instanceof Long number ? number : null;
  }

  private static @Nullable Double numberOf(Object value) {
    return value instanceof Number number ? number.doubleValue() : null;
  }

  private static Optional<List<String>> textsOf(Object value) {
    if (!(value instanceof List<?> elements)) {
      return Optional.empty();
    }
    var texts = new ArrayList<String>();
    for (Object element : elements) {
      if (!(element instanceof String text)) {
        return Optional.empty();
      }
      texts.add(text);
    }
    return Optional.of(List.copyOf(texts));
  }

  private static String describe(Object value) {
    return value instanceof List ? "an array" : value.toString();
  }

  private static String kebab(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static void checkName(String name) {
    if (!KEBAB_CASE.matcher(name).matches()) {
      throw KernelException.invalidValue("name of a setting", "kebab-case", name);
    }
  }
}
