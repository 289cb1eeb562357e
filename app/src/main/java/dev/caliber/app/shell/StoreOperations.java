package dev.caliber.app.shell;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import dev.caliber.memory.record.Trajectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Operations of the store that a command works on: those of the server that holds it, or the same
 * ones in this process. Input and answer are JSON in both cases.
 */
public interface StoreOperations extends AutoCloseable {

  /** Runs an operation and returns its answer. */
  JsonNode run(String operation, OperationInput input);

  /**
   * Embeds the texts that wait, up to the configured number, so that a search finds them by
   * meaning; returns a message if some are left. A server embeds by itself.
   */
  Optional<String> embedBacklog();

  /** Waits until the search index holds every commit; a server updates its index by itself. */
  void awaitIndexed();

  @Override
  void close();

  default <T> T call(String operation, OperationInput input, Class<T> type) {
    return Json.read(Json.bytes(run(operation, input)), type);
  }

  /** Returns all pages of a list. */
  default <T> List<T> list(String operation, OperationInput input, Class<T> type) {
    return list(operation, input, type, Integer.MAX_VALUE);
  }

  /** Returns the first entries of a list, and reads no more pages than necessary. */
  default <T> List<T> list(String operation, OperationInput input, Class<T> type, int most) {
    List<T> all = new ArrayList<>();
    JsonNode page;
    do {
      page = run(operation, input);
      page.path("items").forEach(item -> all.add(Json.read(Json.bytes(item), type)));
      input.with("cursor", page.path("next").asString(""));
    } while (page.has("next") && all.size() < most);
    return all.subList(0, Math.min(most, all.size()));
  }

  /** Returns an existing trajectory by the name of its session, or by its id. */
  default Id trajectoryId(String named) {
    OperationInput ofSession = OperationInput.of("session", named).with("limit", 1);
    List<Trajectory> found = list("list_trajectories", ofSession, Trajectory.class, 1);
    return found.isEmpty()
        ? call("get_trajectory", OperationInput.of("id", parseId(named)), Trajectory.class).id()
        : found.getFirst().id();
  }

  private static Id parseId(String named) {
    try {
      return Id.parse(named);
    } catch (KernelException _) {
      throw AppException.usage(
          "No session '%s' in this space, and it is not an id".formatted(named),
          "Name a session as 'caliber remember --session' did, or an id.");
    }
  }
}
