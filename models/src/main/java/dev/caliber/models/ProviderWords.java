package dev.caliber.models;

import dev.caliber.kernel.Json;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** What a provider says about a refusal, and how it is shown: one line, shortened. */
final class ProviderWords {

  private static final int LONGEST = 200;

  private ProviderWords() {}

  static Optional<String> of(byte[] body) {
    try {
      JsonNode tree = Json.mapper().readTree(body);
      return Stream.of("/error/message", "/error", "/message", "/detail")
          .map(tree::at)
          .filter(JsonNode::isString)
          .map(JsonNode::asString)
          .findFirst();
    } catch (JacksonException _) {
      return Optional.empty(); // not JSON: a proxy's page, which nobody needs to see
    }
  }

  static String shown(String text) {
    String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
  }
}
