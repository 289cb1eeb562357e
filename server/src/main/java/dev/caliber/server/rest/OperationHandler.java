package dev.caliber.server.rest;

import dev.caliber.kernel.Json;
import dev.caliber.server.access.Turns;
import dev.caliber.server.operation.Answer;
import dev.caliber.server.operation.Call;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Operations;
import dev.caliber.server.operation.ServerException;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.io.OutputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs the operation of one route. */
final class OperationHandler implements Handler {
  private static final String ETAG = "ETag";
  private static final String ITEMS = "items";
  private static final String NEXT = "next";
  private static final String CURSOR = "cursor";

  private final Operations operations;
  private final String operation;
  private final Gate gate;
  private final Turns turns;
  private final Binding binding;

  OperationHandler(Operations operations, Edge edge, Route route) {
    this.operations = operations;
    this.operation = route.operation();
    this.gate = edge.gate();
    this.turns = edge.turns();
    this.binding = new Binding(operations.find(operation).input(), edge.bodies());
  }

  @Override
  public void handle(Context context) throws Exception {
    Caller caller = gate.caller(context);
    boolean wantsLines = MediaTypes.wantsLines(context);
    if (wantsLines && !Gate.isSafe(context.method())) { // before something is written
      throw ServerException.invalidInput("", "Wanted a list for " + MediaTypes.LINES);
    }
    Call call =
        new Call(
            operation,
            binding.input(context),
            Call.key(context.header("Idempotency-Key")),
            Call.revision(context.header("If-Match")));
    Answer answer = turns.take(() -> operations.run(caller, call));
    if (wantsLines) {
      lines(context, caller, call, answer);
    } else {
      answer(context, answer);
    }
  }

  private static void answer(Context context, Answer answer) {
    answer.revision().ifPresent(revision -> context.header(ETAG, "\"" + revision + "\""));
    if (answer.replayed()) {
      context.header("Idempotency-Replayed", "true");
    }
    context.contentType(MediaTypes.JSON).result(answer.body());
  }

  /** All pages of a list, one record a line, each page read when the one before is written. */
  private void lines(Context context, Caller caller, Call call, Answer first) throws Exception {
    JsonNode page = Json.mapper().readTree(first.body());
    if (!page.path(ITEMS).isArray()) {
      throw ServerException.invalidInput("", "Wanted a list for " + MediaTypes.LINES);
    }
    context.contentType(MediaTypes.LINES);
    if (context.method().equals(HandlerType.HEAD)) {
      return;
    }
    OutputStream out = context.outputStream();
    write(page, out);
    while (page.has(NEXT)) {
      gate.next(context, turns);
      ObjectNode input = ((ObjectNode) call.input()).put(CURSOR, page.path(NEXT).asString());
      Answer next = turns.take(() -> operations.run(caller, Call.of(operation, input)));
      page = Json.mapper().readTree(next.body());
      write(page, out);
    }
  }

  private static void write(JsonNode page, OutputStream out) throws IOException {
    for (JsonNode item : page.path(ITEMS)) {
      out.write(Json.bytes(item));
      out.write('\n');
    }
  }
}
