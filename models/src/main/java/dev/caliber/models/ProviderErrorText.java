package dev.caliber.models;

import dev.caliber.kernel.Json;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Error text of a provider, reduced to one short line. */
final class ProviderErrorText {

  private static final int LONGEST = 200;

  private ProviderErrorText() {}

  static Optional<String> extractMessage(byte[] body) {
    try {
      JsonNode tree = Json.mapper().readTree(body);
      return Stream.of("/error/message", "/error", "/message", "/detail")
          .map(tree::at)
          .filter(JsonNode::isString)
          .map(JsonNode::asString)
          .findFirst();
    } catch (JacksonException _) {
      return Optional.empty(); // not JSON: a proxy's page, which does not help the reader
    }
  }

  static String singleLine(String text) {
    String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
  }
}
