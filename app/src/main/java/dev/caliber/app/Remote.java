package dev.caliber.app;

import dev.caliber.client.CaliberClient;
import dev.caliber.client.CaliberProblem;
import dev.caliber.kernel.Json;
import java.net.URI;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The server that holds the store of a command. It answers as the store would. */
record Remote(CaliberClient client) implements AutoCloseable {

  static Remote at(URI server, String space, Optional<String> key) {
    CaliberClient client = CaliberClient.of(server).inSpace(space);
    return new Remote(key.map(client::withKey).orElse(client));
  }

  /** An input whose parts are added where they are said. */
  static ObjectNode input() {
    return Json.mapper().createObjectNode();
  }

  static void put(ObjectNode input, String name, Optional<?> value) {
    value.ifPresent(said -> input.set(name, Json.mapper().valueToTree(said)));
  }

  <T> T post(String path, JsonNode input, Class<T> answer) {
    return read(() -> client.post(path, input), answer);
  }

  <T> T get(String path, Class<T> answer) {
    return read(() -> client.get(path), answer);
  }

  private interface Asking {
    JsonNode ask();
  }

  private static <T> T read(Asking asking, Class<T> answer) {
    try {
      return Json.read(Json.bytes(asking.ask()), answer);
    } catch (CaliberProblem problem) {
      throw AppException.remote(problem);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
