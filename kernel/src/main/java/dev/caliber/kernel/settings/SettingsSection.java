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
 * Table of a settings file, read key by key. Each key has bounds: the values that the code can work
 * with. A missing or wrong setting is recorded for {@link Settings#verify} and replaced with a
 * value within the bounds.
 */
public final class SettingsSection {
  private static final Pattern KEBAB_CASE = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
  private static final String STAND_IN = "unset";

  private final Settings settings;
  private final String name;
  private final String unit;

  SettingsSection(Settings settings, String name) {
    this(settings, name, "");
    for (String part : name.split("\\.", -1)) {
      checkName(part);
    }
  }

  private SettingsSection(Settings settings, String name, String unit) {
    this.settings = settings;
    this.name = name;
    this.unit = unit;
  }

  /** Range of values, with their conversion from and to text. */
  private record SettingRange<T extends Comparable<T>>(
      String type, T min, T max, Function<Object, @Nullable T> reader, Function<T, String> writer) {
    String text() {
      return writer.apply(min) + " to " + writer.apply(max);
    }

    String expectation() {
      return "a " + type + " from " + text();
    }

    Optional<T> read(Object value) {
      return Optional.ofNullable(reader.apply(value))
          .filter(found -> found.compareTo(min) >= 0 && found.compareTo(max) <= 0);
    }
  }

  /** Returns the dotted name of the section. */
  public String name() {
    return name;
  }

  /** Returns this section for numbers of this unit. */
  public SettingsSection withUnit(String counted) {
    return new SettingsSection(settings, name, counted);
  }

  /** Returns any text, the empty one included. */
  public String text(String key) {
    declare(key, "text", "");
    return read(
        key,
        "text",
        STAND_IN,
        value -> value instanceof String text ? Optional.of(text) : Optional.empty());
  }

  /**
   * Returns a constant of the enum, written in kebab-case: {@code WRITE_AHEAD} is {@code
   * "write-ahead"}.
   */
  public <E extends Enum<E>> E oneOf(String key, Class<E> type) {
    E[] constants = type.getEnumConstants();
    String names =
        Stream.of(constants).map(SettingsSection::kebab).collect(Collectors.joining(", "));
    declare(key, "one of", names);
    return read(
        key,
        "one of " + names,
        constants[0],
        value ->
            Stream.of(constants).filter(constant -> kebab(constant).equals(value)).findFirst());
  }

  public int wholeNumber(String key, int min, int max) {
    return (int) wholeNumber(key, (long) min, (long) max);
  }

  public long wholeNumber(String key, long min, long max) {
    return requireInRange(key, wholeNumberRange(min, max));
  }

  /** Returns a finite number, which may be whole. */
  public double decimalNumber(String key, double min, double max) {
    return requireInRange(
        key, new SettingRange<>("number", min, max, SettingsSection::numberOf, String::valueOf));
  }

  public boolean flag(String key) {
    declare(key, "flag", "true, false");
    return read(
        key,
        "true or false",
        false,
        value -> value instanceof Boolean flag ? Optional.of(flag) : Optional.empty());
  }

  /** Returns the duration of a text such as {@code "30s"}, as {@link Durations} reads it. */
  public Duration duration(String key, Duration min, Duration max) {
    return requireInRange(
        key,
        new SettingRange<>(
            "duration", min, max, value -> parseText(value, Durations::parse), Durations::format));
  }

  /** Returns the size of a text such as {@code "64KiB"}, as {@link DataSize} reads it. */
  public DataSize size(String key, DataSize min, DataSize max) {
    return requireInRange(
        key,
        new SettingRange<>(
            "size", min, max, value -> parseText(value, DataSize::parse), DataSize::toString));
  }

  /** Returns an array of texts, which may be empty. */
  public List<String> texts(String key) {
    declare(key, "texts", "");
    return read(key, "an array of texts", List.of(), SettingsSection::textsOf);
  }

  /** Returns a table whose keys the author of the file chooses; it may be empty. */
  public SortedMap<String, Integer> wholeNumbers(String key, int min, int max) {
    SettingRange<Long> settingRange = wholeNumberRange(min, max);
    declare(key, "table of whole numbers", settingRange.text());
    settings.requireTable(path(key));
    SettingsSection table = new SettingsSection(settings, path(key), unit);
    var numbers = new TreeMap<String, Integer>();
    for (String entry : settings.source().keysIn(path(key))) {
      if (KEBAB_CASE.matcher(entry).matches()) {
        numbers.put(
            entry,
            table
                .read(entry, settingRange.expectation(), settingRange.min(), settingRange::read)
                .intValue());
      } else {
        settings.reportName(table.path(entry));
      }
    }
    return Collections.unmodifiableSortedMap(numbers);
  }

  /**
   * Refuses a value that was read, for a reason of the caller's own. The error is made from the
   * position of the key; a key that the file lacks is reported as missing already.
   */
  public void reject(String key, Function<String, KernelException> error) {
    String path = path(key);
    settings
        .source()
        .find(path)
        .ifPresent(settingsValue -> settings.report(path, settingsValue.position(), error));
  }

  private static SettingRange<Long> wholeNumberRange(long min, long max) {
    return new SettingRange<>("whole number", min, max, SettingsSection::wholeOf, String::valueOf);
  }

  private <T extends Comparable<T>> T requireInRange(String key, SettingRange<T> settingRange) {
    if (settingRange.min().compareTo(settingRange.max()) > 0) {
      throw KernelException.invalidValue(
          "bounds of " + path(key),
          "a least value first",
          settingRange.min() + " and " + settingRange.max());
    }
    declare(key, settingRange.type(), settingRange.text());
    return read(key, settingRange.expectation(), settingRange.min(), settingRange::read);
  }

  private void declare(String key, String type, String range) {
    checkName(key);
    settings.declare(new SettingDeclaration(path(key), type, range, unit));
  }

  private <T> T read(String key, String wanted, T standIn, Function<Object, Optional<T>> convert) {
    checkName(key);
    String path = path(key);
    settings.markRead(path);
    var value = settings.source().find(path);
    if (value.isPresent()) {
      var converted = convert.apply(value.get().value());
      if (converted.isEmpty()) {
        settings.reportInvalid(path, value.get().position(), wanted, describe(value.get().value()));
      }
      return converted.orElse(standIn);
    }
    FilePosition table = settings.source().tables().get(path);
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

  private static <T> @Nullable T parseText(Object value, Function<String, T> parser) {
    try {
      return value instanceof String text ? parser.apply(text) : null;
    } catch (KernelException _) {
      return null; // reported with the bounds and the position
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
