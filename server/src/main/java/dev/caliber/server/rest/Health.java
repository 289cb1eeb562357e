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

/** Whether the process lives, and whether it has all that requests need. */
final class Health {
  private final List<Part> parts;
  private volatile boolean closing;

  Health(RecordStore store, BooleanSupplier model) {
    this.parts =
        List.of(
            new Part("server", () -> !closing), // not while it stops: nobody sends anything more
            new Part("store", () -> answers(store)),
            new Part("embedding model", model));
  }

  private record Part(String name, BooleanSupplier well) {}

  /** What is told; what it waits for only while it does. */
  record State(String status, Optional<List<String>> waitingFor) {
    boolean isUp() {
      return waitingFor.isEmpty();
    }
  }

  void live(Context context) {
    answer(context, state(Stream.empty()));
  }

  void ready(Context context) {
    answer(context, ready());
  }

  State ready() {
    return state(parts.stream().filter(part -> !part.well().getAsBoolean()));
  }

  private static State state(Stream<Part> missing) {
    List<String> names = missing.map(Part::name).toList();
    return names.isEmpty()
        ? new State("up", Optional.empty())
        : new State("down", Optional.of(names));
  }

  private static boolean answers(RecordStore store) {
    try {
      return !store.spaces().isEmpty();
    } catch (CaliberException _) {
      return false;
    }
  }

  private static void answer(Context context, State state) {
    context
        .status(state.isUp() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
        .contentType(MediaTypes.JSON)
        .result(Json.bytes(state));
  }

  void close() {
    closing = true;
  }
}
