package dev.caliber.server.operation;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Refuses text that cannot be stored, searched for or repeated in an answer: the character zero,
 * which no engine takes, and half a pair of surrogates, which UTF-8 cannot write. Every protocol
 * calls it where a request has become JSON.
 */
public final class InputText {
  private InputText() {}

  /** Refuses the first such text in a value; the refusal names its place as a JSON pointer. */
  public static void require(JsonNode value) {
    fault(value)
        .ifPresent(
            fault -> {
              throw ServerException.invalidInput(fault.pointer(), fault.reason());
            });
  }

  /** A text that is refused: where it is, and why. */
  public record Fault(String pointer, String reason) {}

  /** The first text of a value that {@link #require} refuses. */
  public static Optional<Fault> fault(JsonNode value) {
    return fault(value, "");
  }

  private static Optional<Fault> fault(JsonNode node, String place) {
    if (node.isString()) {
      return fault(node.asString(), place, "text");
    }
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        Optional<Fault> found = fault(node.get(i), place + "/" + i);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return node.isObject() ? first(node, place) : Optional.empty();
  }

  private static Optional<Fault> first(JsonNode object, String place) {
    for (var property : object.properties()) {
      Optional<Fault> found =
          fault(property.getKey(), place, "names")
              .or(
                  () ->
                      fault(property.getValue(), place + "/" + Inputs.escaped(property.getKey())));
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<Fault> fault(String text, String place, String what) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        return Optional.of(
            new Fault(place, "Wanted %s without the character U+0000".formatted(what)));
      }
      if (Character.isSurrogate(c)) {
        if (!isPair(text, i)) {
          return Optional.of(
              new Fault(place, "Wanted %s without half a surrogate pair".formatted(what)));
        }
        i++;
      }
    }
    return Optional.empty();
  }

  private static boolean isPair(String text, int index) {
    return index + 1 < text.length()
        && Character.isSurrogatePair(text.charAt(index), text.charAt(index + 1));
  }
}
