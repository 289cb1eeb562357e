package dev.caliber.app;

import dev.caliber.client.CaliberClient;
import dev.caliber.client.CaliberProblem;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.record.Trajectory;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The server that holds the store of a command. It answers as the store would. */
record Remote(CaliberClient client) implements AutoCloseable {

  static Remote at(URI server, CommandConfig config, String space, Optional<String> key) {
    CaliberClient client = CaliberClient.of(server).waitingAtMost(config.patience()).inSpace(space);
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

  /** All pages of a list, as the records of the room. */
  <T> List<T> list(String path, Class<T> record) {
    return list(path, record, Integer.MAX_VALUE);
  }

  /** The first of a list, and no more pages than that takes. */
  <T> List<T> list(String path, Class<T> record, int most) {
    List<T> all = new ArrayList<>();
    String first = path + (path.contains("?") ? "&" : "?");
    JsonNode page = get(path, JsonNode.class);
    add(page, record, all);
    while (page.has("next") && all.size() < most) {
      String cursor = CaliberClient.encoded(page.path("next").asString());
      page = get(first + "cursor=" + cursor, JsonNode.class);
      add(page, record, all);
    }
    return all.subList(0, Math.min(most, all.size()));
  }

  private static <T> void add(JsonNode page, Class<T> record, List<T> all) {
    page.path("items").forEach(item -> all.add(Json.read(Json.bytes(item), record)));
  }

  /** A trajectory by its id, or by the name of its session, as without a server. */
  Id trajectory(String named) {
    List<Trajectory> found =
        get("/trajectories?limit=1&session=" + CaliberClient.encoded(named), Found.class).items();
    return found.isEmpty() ? OpenContext.id(named) : found.getFirst().id();
  }

  private record Found(List<Trajectory> items) {}

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
