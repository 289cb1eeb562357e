package dev.caliber.server.rest;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import dev.caliber.server.access.Turns;
import dev.caliber.server.operation.Call;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Operations;
import dev.caliber.server.operation.ServerException;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpStatus;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
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

  Bulk(Operations operations, Edge edge, long lineLimit) {
    this.operations = operations;
    this.gate = edge.gate();
    this.turns = edge.turns();
    this.lineLimit = lineLimit;
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
    try (InputStream in = new BufferedInputStream(context.bodyInputStream())) {
      for (Optional<byte[]> line = line(in); line.isPresent(); line = line(in)) {
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
    }
  }

  private static void write(OutputStream out, Done done) throws IOException {
    out.write(Json.bytes(done));
    out.write('\n');
  }

  private Done run(Caller caller, byte[] line) {
    try {
      Call call = call(Binding.object(line));
      byte[] answer = turns.take(() -> operations.run(caller, call)).body();
      return new Done(
          HttpStatus.OK.getCode(), Optional.of(Json.mapper().readTree(answer)), Optional.empty());
    } catch (CaliberException e) {
      return Done.refused(e);
    } catch (Exception e) {
      LOG.error("A line of a bulk request broke", e);
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
