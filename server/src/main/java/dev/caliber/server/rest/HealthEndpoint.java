package dev.caliber.server.rest;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import dev.caliber.store.RecordStore;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The endpoints for liveness and readiness. */
final class HealthEndpoint {
  private final List<HealthCheck> parts;
  private volatile boolean closing;

  HealthEndpoint(RecordStore store, BooleanSupplier model) {
    this.parts =
        List.of(
            new HealthCheck(
                "server",
                () -> !closing), // not ready while stopping, so that load balancers send no more
            // requests
            new HealthCheck("store", () -> isStoreAnswering(store)),
            new HealthCheck("embedding model", model));
  }

  private record HealthCheck(String name, BooleanSupplier healthy) {}

  /** The status; missing parts are listed only while there are some. */
  record HealthStatus(String status, Optional<List<String>> waitingFor) {
    boolean isUp() {
      return waitingFor.isEmpty();
    }
  }

  void answerLiveness(Context context) {
    writeStatus(context, healthStatus(Stream.empty()));
  }

  void answerReadiness(Context context) {
    writeStatus(context, readiness());
  }

  HealthStatus readiness() {
    return healthStatus(
        parts.stream().filter(healthCheck -> !healthCheck.healthy().getAsBoolean()));
  }

  private static HealthStatus healthStatus(Stream<HealthCheck> missing) {
    List<String> names = missing.map(HealthCheck::name).toList();
    return names.isEmpty()
        ? new HealthStatus("up", Optional.empty())
        : new HealthStatus("down", Optional.of(names));
  }

  private static boolean isStoreAnswering(RecordStore store) {
    try {
      return !store.spaces().isEmpty();
    } catch (CaliberException _) {
      return false;
    }
  }

  private static void writeStatus(Context context, HealthStatus healthStatus) {
    context
        .status(healthStatus.isUp() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
        .contentType(MediaTypes.JSON)
        .result(Json.bytes(healthStatus));
  }

  void close() {
    closing = true;
  }
}
