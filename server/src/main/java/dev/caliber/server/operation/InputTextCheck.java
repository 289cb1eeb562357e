package dev.caliber.server.operation;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A check for text that cannot be stored, searched for or repeated in an answer: U+0000, which no
 * engine accepts, and unpaired surrogates, which UTF-8 cannot encode. Every protocol calls it after
 * a request has become JSON.
 */
public final class InputTextCheck {
  private InputTextCheck() {}

  /** Refuses the first such text; the refusal names its place as a JSON pointer. */
  public static void requireStorable(JsonNode value) {
    findFault(value)
        .ifPresent(
            textFault -> {
              throw ServerException.invalidInput(textFault.pointer(), textFault.reason());
            });
  }

  /** An unstorable text: its place and the reason. */
  public record TextFault(String pointer, String reason) {}

  /** Returns the first text that {@link #requireStorable} refuses. */
  public static Optional<TextFault> findFault(JsonNode value) {
    return findFault(value, "");
  }

  private static Optional<TextFault> findFault(JsonNode node, String place) {
    if (node.isString()) {
      return findFault(node.asString(), place, "text");
    }
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        Optional<TextFault> found = findFault(node.get(i), place + "/" + i);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return node.isObject() ? findFaultInObject(node, place) : Optional.empty();
  }

  private static Optional<TextFault> findFaultInObject(JsonNode object, String place) {
    for (var property : object.properties()) {
      Optional<TextFault> found =
          findFault(property.getKey(), place, "names")
              .or(
                  () ->
                      findFault(
                          property.getValue(),
                          place + "/" + InputReader.escapePointer(property.getKey())));
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<TextFault> findFault(String text, String place, String what) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        return Optional.of(
            new TextFault(place, "Expected %s without the character U+0000".formatted(what)));
      }
      if (Character.isSurrogate(c)) {
        if (!isSurrogatePair(text, i)) {
          return Optional.of(
              new TextFault(place, "Expected %s without half a surrogate pair".formatted(what)));
        }
        i++;
      }
    }
    return Optional.empty();
  }

  private static boolean isSurrogatePair(String text, int index) {
    return index + 1 < text.length()
        && Character.isSurrogatePair(text.charAt(index), text.charAt(index + 1));
  }
}
