package dev.caliber.kernel.settings;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.Durations;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Type of a single setting: how its value is read from a file and from a variable.
 *
 * @param name for the page of all settings
 * @param range the allowed values as text; empty for any
 * @param unit the unit of a number
 * @param wanted for refusals
 * @param reader null for a value that is refused; may throw a refusal of its own
 * @param textReader the value of a file for the text of an environment variable
 */
record SettingType(
    String name,
    String range,
    String unit,
    String wanted,
    Function<Object, @Nullable Object> reader,
    Function<String, @Nullable Object> textReader) {
  private static final Pattern RANGE =
      Pattern.compile("(?<min>\\S+) to (?<max>\\S+)(?: (?<unit>.+))?");
  private static final String NONE = "none";

  /** Returns whether a record is one setting, not a table. */
  static boolean isValue(Class<?> type) {
    return type == DataSize.class || type == SpaceId.class;
  }

  /** Returns the type of a component, with the bounds of its annotation if it has one. */
  static SettingType of(Class<?> type, @Nullable SettingRange bounds) {
    if (type.isEnum()) {
      return ofEnum(type);
    }
    return switch (type.getSimpleName()) {
      case "String" -> ofText("text", text -> text);
      case "Path" -> ofText("text", SettingType::pathOf);
      case "SpaceId" -> ofText("the name of a space", SpaceId::new);
      case "URI" -> ofText("an address", SettingType::addressOf);
      case "boolean" ->
          new SettingType(
              "flag",
              "true, false",
              "",
              "true or false",
              value -> value instanceof Boolean ? value : null,
              text -> text.matches("true|false") ? Boolean.valueOf(text) : null);
      case "List" ->
          new SettingType(
              "texts",
              "",
              "",
              "an array of texts",
              SettingType::textsOf,
              text ->
                  text.isBlank()
                      ? List.of()
                      : Stream.of(text.split(",", -1)).map(String::strip).toList());
      case "int", "Integer" ->
          ofRange("whole number", bounds, Long::valueOf, SettingType::wholeOf, Object::toString)
              .after(number -> ((Long) number).intValue());
      case "long" ->
          ofRange("whole number", bounds, Long::valueOf, SettingType::wholeOf, Object::toString);
      case "double", "Double" ->
          ofRange("number", bounds, Double::valueOf, SettingType::numberOf, Object::toString);
      case "Duration" ->
          ofRange(
              "duration",
              bounds,
              Durations::parse,
              value -> (Duration) parse(value, Durations::parse),
              Durations::format);
      case "DataSize" ->
          ofRange(
              "size",
              bounds,
              DataSize::parse,
              value -> (DataSize) parse(value, DataSize::parse),
              DataSize::toString);
      default -> throw new IllegalArgumentException("no setting can be read as " + type.getName());
    };
  }

  /** Returns the type of an optional setting: a blank text, or "none" for an enum, is no value. */
  SettingType optional(boolean isEnum) {
    String names = isEnum ? NONE + ", " + range : range;
    return new SettingType(
        name,
        names,
        unit,
        isEnum ? "one of " + names : wanted,
        value ->
            value instanceof String text && (isEnum ? text.equals(NONE) : text.isBlank())
                ? Optional.empty()
                : after(Optional::of).reader.apply(value),
        textReader);
  }

  private SettingType after(Function<Object, Object> conversion) {
    return new SettingType(
        name,
        range,
        unit,
        wanted,
        value -> {
          Object read = reader.apply(value);
          return read == null ? null : conversion.apply(read);
        },
        textReader);
  }

  private static SettingType ofText(String wanted, Function<String, Object> parser) {
    return new SettingType(
        "text",
        "",
        "",
        wanted,
        value -> value instanceof String text ? parser.apply(text) : null,
        text -> text);
  }

  private static SettingType ofEnum(Class<?> type) {
    List<Object> constants = List.of(type.getEnumConstants());
    String names = constants.stream().map(SettingType::nameOf).collect(Collectors.joining(", "));
    return new SettingType(
        "one of",
        names,
        "",
        "one of " + names,
        value ->
            constants.stream()
                .filter(constant -> nameOf(constant).equals(value))
                .findFirst()
                .orElse(null),
        text -> text);
  }

  private static <T extends Comparable<T>> SettingType ofRange(
      String name,
      @Nullable SettingRange bounds,
      Function<String, T> parser,
      Function<Object, @Nullable T> reader,
      Function<T, String> writer) {
    Matcher parts = RANGE.matcher(bounds == null ? "" : bounds.value());
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "a %s needs @SettingRange(\"least to most unit\"), found %s".formatted(name, bounds));
    }
    T min = parser.apply(parts.group("min"));
    T max = parser.apply(parts.group("max"));
    if (min.compareTo(max) > 0) {
      throw new IllegalArgumentException("a range has its least value first, found " + bounds);
    }
    String range = writer.apply(min) + " to " + writer.apply(max);
    return new SettingType(
        name,
        range,
        Optional.ofNullable(parts.group("unit")).orElse(""),
        "a " + name + " from " + range,
        value -> {
          T found = reader.apply(value);
          boolean fits = found != null && found.compareTo(min) >= 0 && found.compareTo(max) <= 0;
          return fits ? found : null;
        },
        text -> name.endsWith("number") ? numberIn(text, parser) : text);
  }

  /** Returns the name of an enum's constant in kebab-case. */
  static String nameOf(Object constant) {
    return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static @Nullable Object numberIn(String text, Function<String, ?> parser) {
    try {
      return parser.apply(text);
    } catch (NumberFormatException _) {
      return null; // refused with the bounds
    }
  }

  private static @Nullable Long wholeOf(Object value) {
    return value instanceof Long number ? number : null;
  }

  private static @Nullable Double numberOf(Object value) {
    return value instanceof Number number ? number.doubleValue() : null;
  }

  private static @Nullable Object parse(Object value, Function<String, Object> parser) {
    try {
      return value instanceof String text ? parser.apply(text) : null;
    } catch (KernelException _) {
      return null; // refused with the bounds
    }
  }

  private static @Nullable Object textsOf(Object value) {
    return value instanceof List<?> elements && elements.stream().allMatch(String.class::isInstance)
        ? List.copyOf(elements)
        : null;
  }

  /** Returns the address; a refusal does not repeat the text, which may hold a key. */
  private static Object pathOf(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException _) {
      throw KernelException.invalidValue("path", "is no path of this system");
    }
  }

  private static Object addressOf(String text) {
    if (!text.startsWith("http://") && !text.startsWith("https://")) {
      throw KernelException.invalidValue("address", "has to begin with http:// or https://");
    }
    try {
      return new URI(text);
    } catch (URISyntaxException _) {
      throw KernelException.invalidValue("address", "is no address of the form http://host/path");
    }
  }
}
