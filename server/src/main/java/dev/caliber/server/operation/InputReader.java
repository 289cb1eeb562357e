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

/** A reader of inputs, whose errors point to the faulty value without quoting it. */
final class InputReader {
  /**
   * The usual mapper, but a null in a list or map is refused at its place, and so are unknown
   * properties: a filter with a misspelt name would match more than the caller wants.
   */
  private static final JsonMapper MAPPER =
      Json.mapper()
          .rebuild()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
          .build();

  private InputReader() {}

  static <I> I readInput(JsonNode input, Class<I> type) {
    if (!input.isObject()) {
      throw ServerException.invalidInput("", "Expected a JSON object");
    }
    try {
      return MAPPER.treeToValue(input, type);
    } catch (JacksonException e) {
      throw toException(e);
    }
  }

  /** Refuses other filters beside a property that selects the records alone. */
  static void requireExclusive(String property, Optional<?>... others) {
    if (Stream.of(others).anyMatch(Optional::isPresent)) {
      throw ServerException.invalidInput(
          "/" + property, "'%s' cannot be combined with other filters".formatted(property));
    }
  }

  private static CaliberException toException(JacksonException e) {
    String place = jsonPointer(e);
    return rootCause(e) instanceof CaliberException known
        ? ServerException.inPart(place, known)
        : ServerException.invalidInput(place, expectation(e));
  }

  private static String expectation(JacksonException e) {
    return switch (e) {
      case UnrecognizedPropertyException unknown ->
          unknownPropertyMessage(
              unknown.getPropertyName(),
              Optional.ofNullable(unknown.getKnownPropertyIds()).stream()
                  .flatMap(Collection::stream)
                  .map(Object::toString)
                  .sorted()
                  .toList());
      case InvalidFormatException wrong when wrong.getTargetType().isEnum() ->
          "Expected one of %s"
              .formatted(
                  Stream.of(wrong.getTargetType().getEnumConstants())
                      .map(Object::toString)
                      .collect(Collectors.joining(", ")));
      default -> "The value is missing or of the wrong type";
    };
  }

  private static String unknownPropertyMessage(String name, List<String> known) {
    return NearestName.find(name, known)
        .map("Unknown property. Did you mean '%s'?"::formatted)
        .orElseGet(
            () ->
                "Unknown property. The known properties are: %s"
                    .formatted(String.join(", ", known)));
  }

  /**
   * Returns the innermost cause: records validate themselves, and Jackson wraps what they throw.
   */
  private static Throwable rootCause(Throwable e) {
    Throwable found = e;
    while (found.getCause() != null && !(found instanceof CaliberException)) {
      found = found.getCause();
    }
    return found;
  }

  private static String jsonPointer(JacksonException e) {
    StringBuilder pointer = new StringBuilder();
    for (JacksonException.Reference step : e.getPath()) {
      String name = step.getPropertyName();
      pointer
          .append('/')
          .append(name == null ? Integer.toString(step.getIndex()) : escapePointer(name));
    }
    return pointer.toString();
  }

  static String escapePointer(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
