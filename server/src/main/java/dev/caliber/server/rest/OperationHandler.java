package dev.caliber.server.rest;

import dev.caliber.kernel.Json;
import dev.caliber.server.access.RequestLimiter;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.operation.OperationRequest;
import dev.caliber.server.operation.OperationResult;
import dev.caliber.server.operation.ServerException;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.io.OutputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A handler that runs one operation. */
final class OperationHandler implements Handler {
  private static final String ETAG = "ETag";
  private static final String ITEMS = "items";
  private static final String NEXT = "next";
  private static final String CURSOR = "cursor";

  private final OperationDispatcher operationDispatcher;
  private final String operation;
  private final HttpAuthenticator httpAuthenticator;
  private final RequestLimiter requestLimiter;
  private final RequestInputReader requestInputReader;

  OperationHandler(
      OperationDispatcher operationDispatcher,
      HandlerDependencies handlerDependencies,
      String operation) {
    this.operationDispatcher = operationDispatcher;
    this.operation = operation;
    this.httpAuthenticator = handlerDependencies.authenticator();
    this.requestLimiter = handlerDependencies.requestLimiter();
    this.requestInputReader =
        new RequestInputReader(
            operationDispatcher.find(operation).input(), handlerDependencies.bodyReader());
  }

  @Override
  public void handle(Context context) throws Exception {
    Caller caller = httpAuthenticator.caller(context);
    boolean wantsLines = MediaTypes.isJsonLinesRequested(context);
    if (wantsLines && !HttpAuthenticator.isSafeMethod(context.method())) { // before any write
      throw ServerException.invalidInput("", "Only lists are available as " + MediaTypes.LINES);
    }
    OperationRequest operationRequest =
        new OperationRequest(
            operation,
            requestInputReader.readInput(context),
            OperationRequest.parseIdempotencyKey(context.header("Idempotency-Key")),
            OperationRequest.parseIfMatch(context.header("If-Match")));
    OperationResult operationResult =
        requestLimiter.runLimited(() -> operationDispatcher.run(caller, operationRequest));
    if (wantsLines) {
      writeAllPages(context, caller, operationRequest, operationResult);
    } else {
      writeAnswer(context, operationResult);
    }
  }

  private static void writeAnswer(Context context, OperationResult operationResult) {
    operationResult.revision().ifPresent(revision -> context.header(ETAG, "\"" + revision + "\""));
    if (operationResult.replayed()) {
      context.header("Idempotency-Replayed", "true");
    }
    context.contentType(MediaTypes.JSON).result(operationResult.body());
  }

  /** Writes all pages of a list, one record per line, and reads each when it is needed. */
  private void writeAllPages(
      Context context, Caller caller, OperationRequest operationRequest, OperationResult first)
      throws Exception {
    JsonNode page = Json.mapper().readTree(first.body());
    if (!page.path(ITEMS).isArray()) {
      throw ServerException.invalidInput("", "Only lists are available as " + MediaTypes.LINES);
    }
    context.contentType(MediaTypes.LINES);
    if (context.method().equals(HandlerType.HEAD)) {
      return;
    }
    OutputStream out = context.outputStream();
    writeItems(page, out);
    while (page.has(NEXT)) {
      httpAuthenticator.awaitNextRequest(context, requestLimiter);
      ObjectNode input =
          ((ObjectNode) operationRequest.input()).put(CURSOR, page.path(NEXT).asString());
      OperationResult next =
          requestLimiter.runLimited(
              () -> operationDispatcher.run(caller, OperationRequest.of(operation, input)));
      page = Json.mapper().readTree(next.body());
      writeItems(page, out);
    }
  }

  private static void writeItems(JsonNode page, OutputStream out) throws IOException {
    for (JsonNode item : page.path(ITEMS)) {
      out.write(Json.bytes(item));
      out.write('\n');
    }
  }
}
