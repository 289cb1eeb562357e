package dev.caliber.server.rest;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import dev.caliber.server.access.Turns;
import dev.caliber.server.operation.Call;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.FailureText;
import dev.caliber.server.operation.Operations;
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
 * Many operations in one request, each in a commit of its own: a line of JSON in, a line out, in
 * order. One that is refused does not stop the others, and neither side is held in memory.
 */
final class Bulk implements Handler {
  private static final Logger LOG = LoggerFactory.getLogger(Bulk.class);

  private final Operations operations;
  private final Gate gate;
  private final Turns turns;
  private final long lineLimit;
  private final Duration patience;
  private final Set<Waiting> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  Bulk(Operations operations, Edge edge, ServerConfig.Limits limits) {
    this.operations = operations;
    this.gate = edge.gate();
    this.turns = edge.turns();
    this.lineLimit = limits.body().bytes();
    this.patience = limits.patience();
  }

  /** Whether a request waits for its next line: only then a stop may interrupt it. */
  private static final class Waiting {
    private final Thread thread = Thread.currentThread();
    private boolean waits; // guarded by this

    synchronized void begin() {
      waits = true;
    }

    synchronized void end() {
      waits = false;
      boolean _ = Thread.interrupted(); // what is done next is to be done whole
    }

    synchronized void stop() {
      if (waits) {
        thread.interrupt();
      }
    }
  }

  /** What came of a line. */
  private record Done(int status, Optional<JsonNode> answer, Optional<Problem> problem) {
    static Done refused(CaliberException e) {
      Problem problem = Problems.of(e);
      return new Done(problem.status(), Optional.empty(), Optional.of(problem));
    }
  }

  @Override
  public void handle(Context context) throws IOException {
    Caller caller = gate.caller(context);
    String type = context.contentType();
    if (type == null || !MediaTypes.is(type, MediaTypes.LINES)) {
      throw ServerException.unsupportedMediaType(MediaTypes.LINES);
    }
    context.contentType(MediaTypes.LINES);
    OutputStream out = context.outputStream();
    Waiting waiting = new Waiting();
    open.add(waiting);
    try (InputStream in = new BufferedInputStream(context.bodyInputStream())) {
      for (Optional<byte[]> line = next(in, context, waiting);
          line.isPresent();
          line = next(in, context, waiting)) {
        if (line.get().length > 0) {
          gate.next(context, turns);
          write(out, run(caller, line.get()));
        }
      }
    } catch (CaliberException e) {
      write(out, Done.refused(e)); // the last line says why there are no more
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      write(out, Done.refused(ServerException.internal()));
    } finally {
      open.remove(waiting);
    }
  }

  /** The next line, however long it takes to come; what was answered goes out before. */
  private Optional<byte[]> next(InputStream in, Context context, Waiting waiting)
      throws IOException {
    if (in.available() == 0) {
      context.res().flushBuffer();
    }
    waiting.begin();
    try {
      requireOpen();
      return line(in);
    } catch (IOException e) {
      requireOpen();
      throw e;
    } finally {
      waiting.end();
    }
  }

  private void requireOpen() {
    if (closing) {
      throw ServerException.stopping(patience);
    }
  }

  /** Who waits for lines waits no longer; a line that is being worked on gets its answer. */
  void close() {
    closing = true;
    open.forEach(Waiting::stop);
  }

  private static void write(OutputStream out, Done done) throws IOException {
    out.write(Json.bytes(done));
    out.write('\n');
  }

  private Done run(Caller caller, byte[] line) {
    try {
      Call call = call(Binding.object(line));
      operations.listed(call.operation());
      byte[] answer = turns.take(() -> operations.run(caller, call)).body();
      return new Done(
          HttpStatus.OK.getCode(), Optional.of(Json.mapper().readTree(answer)), Optional.empty());
    } catch (CaliberException e) {
      return Done.refused(e);
    } catch (Exception e) {
      LOG.error(
          "A line of a bulk request, request {}: {}",
          RequestId.current().orElse("-"),
          FailureText.of(e));
      return Done.refused(ServerException.internal());
    }
  }

  private static Call call(ObjectNode step) {
    JsonNode input = step.path("input");
    return new Call(
        step.path("operation").asString(""),
        input.isMissingNode() ? Json.mapper().createObjectNode() : input,
        Call.key(step.has("idempotency_key") ? step.path("idempotency_key").asString("") : null),
        Optional.empty());
  }

  /** The next line without its end; nothing at the end of the input. */
  private Optional<byte[]> line(InputStream in) throws IOException {
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
