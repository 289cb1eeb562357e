package dev.caliber.server.rest;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import dev.caliber.server.access.RequestLimiter;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.FailureText;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.operation.OperationRequest;
import dev.caliber.server.operation.RequestId;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpStatus;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A handler of many operations in one request, each in a commit of its own: one line of JSON per
 * operation and per result, in order. A refused operation does not stop the others, and neither
 * side is held in memory.
 */
final class BulkHandler implements Handler {
  private static final Logger LOG = LoggerFactory.getLogger(BulkHandler.class);

  private final OperationDispatcher operationDispatcher;
  private final HttpAuthenticator httpAuthenticator;
  private final RequestLimiter requestLimiter;
  private final long lineLimit;
  private final Duration patience;
  private final Set<InterruptibleRead> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  BulkHandler(
      OperationDispatcher operationDispatcher,
      HandlerDependencies handlerDependencies,
      ServerConfig.ServerLimits serverLimits) {
    this.operationDispatcher = operationDispatcher;
    this.httpAuthenticator = handlerDependencies.authenticator();
    this.requestLimiter = handlerDependencies.requestLimiter();
    this.lineLimit = serverLimits.bodySize().bytes();
    this.patience = serverLimits.queueTimeout();
  }

  /** A read of the next line, which is the only part of a request that a stop may interrupt. */
  private static final class InterruptibleRead {
    private final Thread thread = Thread.currentThread();
    private boolean waits; // guarded by this

    synchronized void begin() {
      waits = true;
    }

    synchronized void end() {
      waits = false;
      boolean _ = Thread.interrupted(); // the operation that follows must not be interrupted
    }

    synchronized void interruptIfWaiting() {
      if (waits) {
        thread.interrupt();
      }
    }
  }

  /** The result of a line. */
  private record BulkLineResult(
      int status, Optional<JsonNode> answer, Optional<ProblemDetails> problem) {
    static BulkLineResult refused(CaliberException e) {
      ProblemDetails problemDetails = HttpErrorHandler.toProblemDetails(e);
      return new BulkLineResult(
          problemDetails.status(), Optional.empty(), Optional.of(problemDetails));
    }
  }

  @Override
  public void handle(Context context) throws IOException {
    Caller caller = httpAuthenticator.caller(context);
    String type = context.contentType();
    if (type == null || !MediaTypes.isType(type, MediaTypes.LINES)) {
      throw ServerException.unsupportedMediaType(MediaTypes.LINES);
    }
    context.contentType(MediaTypes.LINES);
    OutputStream out = context.outputStream();
    InterruptibleRead interruptibleRead = new InterruptibleRead();
    open.add(interruptibleRead);
    try (InputStream in = new BufferedInputStream(context.bodyInputStream())) {
      for (Optional<byte[]> line = nextLine(in, context, interruptibleRead);
          line.isPresent();
          line = nextLine(in, context, interruptibleRead)) {
        if (line.get().length > 0) {
          httpAuthenticator.awaitNextRequest(context, requestLimiter);
          writeResult(out, runLine(caller, line.get()));
        }
      }
    } catch (CaliberException e) {
      writeResult(out, BulkLineResult.refused(e)); // the last line says why the answer ends
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      writeResult(out, BulkLineResult.refused(ServerException.internalError()));
    } finally {
      open.remove(interruptibleRead);
    }
  }

  /** Waits for the next line, without a time limit; answers so far are flushed first. */
  private Optional<byte[]> nextLine(
      InputStream in, Context context, InterruptibleRead interruptibleRead) throws IOException {
    if (in.available() == 0) {
      context.res().flushBuffer();
    }
    interruptibleRead.begin();
    try {
      requireOpen();
      return readLine(in);
    } catch (IOException e) {
      requireOpen();
      throw e;
    } finally {
      interruptibleRead.end();
    }
  }

  private void requireOpen() {
    if (closing) {
      throw ServerException.serverStopping(patience);
    }
  }

  /** Interrupts requests that wait for a line; a running line is answered first. */
  void close() {
    closing = true;
    open.forEach(InterruptibleRead::interruptIfWaiting);
  }

  private static void writeResult(OutputStream out, BulkLineResult bulkLineResult)
      throws IOException {
    out.write(Json.bytes(bulkLineResult));
    out.write('\n');
  }

  private BulkLineResult runLine(Caller caller, byte[] line) {
    try {
      OperationRequest operationRequest = parseRequest(RequestInputReader.parseObject(line));
      operationDispatcher.findListed(operationRequest.operation());
      byte[] answer =
          requestLimiter.runLimited(() -> operationDispatcher.run(caller, operationRequest)).body();
      return new BulkLineResult(
          HttpStatus.OK.getCode(), Optional.of(Json.mapper().readTree(answer)), Optional.empty());
    } catch (CaliberException e) {
      return BulkLineResult.refused(e);
    } catch (Exception e) {
      LOG.error(
          "An operation of the bulk request {} failed. Cause: {}",
          RequestId.current().orElse("-"),
          FailureText.describe(e));
      return BulkLineResult.refused(ServerException.internalError());
    }
  }

  private static OperationRequest parseRequest(ObjectNode step) {
    JsonNode input = step.path("input");
    return new OperationRequest(
        step.path("operation").asString(""),
        input.isMissingNode() ? Json.mapper().createObjectNode() : input,
        OperationRequest.parseIdempotencyKey(
            step.has("idempotency_key") ? step.path("idempotency_key").asString("") : null),
        Optional.empty());
  }

  /** Reads the next line without its line feed; nothing at the end of the input. */
  private Optional<byte[]> readLine(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    if (next < 0) {
      return Optional.empty();
    }
    while (next >= 0 && next != '\n') {
      if (next != '\r') {
        line.write(next);
      }
      if (line.size() > lineLimit) {
        throw ServerException.bodyTooLarge(lineLimit);
      }
      next = in.read();
    }
    return Optional.of(line.toByteArray());
  }
}
