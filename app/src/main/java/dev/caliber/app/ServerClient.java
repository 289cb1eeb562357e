package dev.caliber.app;

import dev.caliber.client.CaliberClient;
import dev.caliber.client.CaliberClientException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.record.Trajectory;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Client of the server that holds a command's store. Its answers equal those of the store. */
record ServerClient(CaliberClient client) implements AutoCloseable {

  static ServerClient of(URI server, CommandConfig config, String space, Optional<String> key) {
    CaliberClient client =
        CaliberClient.of(server).withTimeout(config.serverTimeout()).inSpace(space);
    return new ServerClient(key.map(client::withKey).orElse(client));
  }

  /** Creates an empty input, to which the caller adds properties. */
  static ObjectNode newInput() {
    return Json.mapper().createObjectNode();
  }

  static void putIfPresent(ObjectNode input, String name, Optional<?> value) {
    value.ifPresent(said -> input.set(name, Json.mapper().valueToTree(said)));
  }

  <T> T post(String path, JsonNode input, Class<T> answer) {
    return readAnswer(() -> client.post(path, input), answer);
  }

  <T> T get(String path, Class<T> answer) {
    return readAnswer(() -> client.get(path), answer);
  }

  /** Returns all pages of a list, as records of the module. */
  <T> List<T> list(String path, Class<T> record) {
    return list(path, record, Integer.MAX_VALUE);
  }

  /** Returns the first entries of a list, and reads no more pages than necessary. */
  <T> List<T> list(String path, Class<T> record, int most) {
    List<T> all = new ArrayList<>();
    String first = path + (path.contains("?") ? "&" : "?");
    JsonNode page = get(path, JsonNode.class);
    addItems(page, record, all);
    while (page.has("next") && all.size() < most) {
      String cursor = CaliberClient.encodePathSegment(page.path("next").asString());
      page = get(first + "cursor=" + cursor, JsonNode.class);
      addItems(page, record, all);
    }
    return all.subList(0, Math.min(most, all.size()));
  }

  private static <T> void addItems(JsonNode page, Class<T> record, List<T> all) {
    page.path("items").forEach(item -> all.add(Json.read(Json.bytes(item), record)));
  }

  /** Returns a trajectory by its id, or by the name of its session, as without a server. */
  Id trajectoryId(String named) {
    List<Trajectory> found =
        get(
                "/trajectories?limit=1&session=" + CaliberClient.encodePathSegment(named),
                TrajectoryPage.class)
            .items();
    return found.isEmpty() ? OpenMemoryServices.parseTrajectoryId(named) : found.getFirst().id();
  }

  private record TrajectoryPage(List<Trajectory> items) {}

  private interface ServerCall {
    JsonNode send();
  }

  private static <T> T readAnswer(ServerCall serverCall, Class<T> answer) {
    try {
      return Json.read(Json.bytes(serverCall.send()), answer);
    } catch (CaliberClientException problem) {
      throw AppException.serverError(problem);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
