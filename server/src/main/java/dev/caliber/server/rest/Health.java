package dev.caliber.server.rest;

import dev.caliber.kernel.CaliberException;
import dev.caliber.store.RecordStore;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;

/** Whether the process lives, and whether its store answers. */
final class Health {
  private final RecordStore store;
  private volatile boolean closing;

  Health(RecordStore store) {
    this.store = store;
  }

  private record State(String status) {}

  void live(Context context) {
    answer(context, true);
  }

  /** Not while it stops, so that nobody sends anything more. */
  void ready(Context context) {
    answer(context, !closing && storeAnswers());
  }

  private boolean storeAnswers() {
    try {
      return !store.spaces().isEmpty();
    } catch (CaliberException _) {
      return false;
    }
  }

  private static void answer(Context context, boolean well) {
    context
        .status(well ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
        .contentType(MediaTypes.JSON)
        .result(dev.caliber.kernel.Json.bytes(new State(well ? "up" : "down")));
  }

  void close() {
    closing = true;
  }
}
