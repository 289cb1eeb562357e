package dev.caliber.server.operation;

import com.fasterxml.jackson.annotation.Nulls;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.NearestName;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

/** Reads inputs, and says where a wrong one is wrong without repeating what it holds. */
final class Inputs {
  /**
   * As everywhere, but a list or map that holds a null is refused where it does, and so is what
   * nobody would read: a filter with a slip in its name would mean more than its sender does.
   */
  private static final JsonMapper MAPPER =
      Json.mapper()
          .rebuild()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
          .build();

  private Inputs() {}

  static <I> I read(JsonNode input, Class<I> type) {
    if (!input.isObject()) {
      throw ServerException.invalidInput("", "Wanted a JSON object, found something else");
    }
    try {
      return MAPPER.treeToValue(input, type);
    } catch (JacksonException e) {
      throw refusal(e);
    }
  }

  /** For a property that says all about which records are meant. */
  static void requireAlone(String property, Optional<?>... others) {
    if (Stream.of(others).anyMatch(Optional::isPresent)) {
      throw ServerException.invalidInput(
          "/" + property, "Wanted this without anything else that chooses, found both");
    }
  }

  private static CaliberException refusal(JacksonException e) {
    String place = pointer(e);
    return cause(e) instanceof CaliberException known
        ? ServerException.at(place, known)
        : ServerException.invalidInput(place, wanted(e));
  }

  private static String wanted(JacksonException e) {
    return switch (e) {
      case UnrecognizedPropertyException unknown ->
          unknown(
              unknown.getPropertyName(),
              Optional.ofNullable(unknown.getKnownPropertyIds()).stream()
                  .flatMap(Collection::stream)
                  .map(Object::toString)
                  .sorted()
                  .toList());
      case InvalidFormatException wrong when wrong.getTargetType().isEnum() ->
          "Wanted one of %s, found another value"
              .formatted(
                  Stream.of(wrong.getTargetType().getEnumConstants())
                      .map(Object::toString)
                      .collect(Collectors.joining(", ")));
      default -> "Wanted a value of the right shape, found none or another";
    };
  }

  private static String unknown(String name, List<String> known) {
    return NearestName.of(name, known)
        .map("There is no such property here. Did you mean '%s'?"::formatted)
        .orElseGet(
            () -> "There is no such property here. Known: %s".formatted(String.join(", ", known)));
  }

  /** Records check themselves: what they threw is inside. */
  private static Throwable cause(Throwable e) {
    Throwable found = e;
    while (found.getCause() != null && !(found instanceof CaliberException)) {
      found = found.getCause();
    }
    return found;
  }

  private static String pointer(JacksonException e) {
    StringBuilder pointer = new StringBuilder();
    for (JacksonException.Reference step : e.getPath()) {
      String name = step.getPropertyName();
      pointer.append('/').append(name == null ? Integer.toString(step.getIndex()) : escaped(name));
    }
    return pointer.toString();
  }

  static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
