package dev.caliber.server.operation;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Durations;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.NearestName;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** A reader of inputs, whose errors point to the faulty value without quoting it. */
final class InputReader {
  private static final JsonSetter.Value EMPTY_IF_MISSING =
      JsonSetter.Value.construct(Nulls.AS_EMPTY, Nulls.FAIL);

  /**
   * The usual mapper, with three differences. A list or map that is left out is empty. A null in a
   * list or map is refused at its place. An unknown property is refused: a filter with a misspelt
   * name would match more than the caller wants.
   */
  private static final JsonMapper MAPPER =
      Json.mapper()
          .rebuild()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
          .withConfigOverride(List.class, list -> list.setNullHandling(EMPTY_IF_MISSING))
          .withConfigOverride(Map.class, map -> map.setNullHandling(EMPTY_IF_MISSING))
          .addModule(
              new SimpleModule("caliber-durations")
                  .addDeserializer(Duration.class, new DurationReader()))
          .build();

  private InputReader() {}

  /** The reader of durations such as {@code 30s}. */
  @SuppressWarnings("serial") // never serialised
  private static final class DurationReader extends StdScalarDeserializer<Duration> {
    DurationReader() {
      super(Duration.class);
    }

    @Override
    public Duration deserialize(JsonParser parser, DeserializationContext context) {
      if (!parser.hasToken(JsonToken.VALUE_STRING)) {
        return (Duration) context.handleUnexpectedToken(Duration.class, parser);
      }
      return Durations.parse(
          Objects.requireNonNullElse(parser.currentName(), "duration"), parser.getString());
    }
  }

  /** Reads the input of an operation; what the contract requires has to be there. */
  static <I extends Record> I readInput(JsonNode input, Operation<I, ?> operation) {
    for (String name : ApiContract.instance().requiredProperties(operation.name())) {
      if (input.isObject() && !input.hasNonNull(name)) {
        refuseUnknownProperties(input, operation);
        throw ServerException.invalidInput("/" + name, "The value is missing");
      }
    }
    return readRecord(input, operation.input());
  }

  /** Names the property that was probably meant, before a required one is called missing. */
  private static void refuseUnknownProperties(JsonNode input, Operation<?, ?> operation) {
    List<String> known =
        ApiContract.instance().inputProperties(operation.name()).propertyNames().stream()
            .sorted()
            .toList();
    for (String name : input.propertyNames()) {
      if (!known.isEmpty() && !known.contains(name)) {
        throw ServerException.invalidInput("/" + name, unknownPropertyMessage(name, known));
      }
    }
  }

  static <I> I readRecord(JsonNode input, Class<I> type) {
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
