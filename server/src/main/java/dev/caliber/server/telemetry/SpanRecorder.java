package dev.caliber.server.telemetry;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.util.function.Function;

/**
 * A recorder of spans by the OpenTelemetry conventions for generative AI.
 *
 * @param queryText whether spans contain queries, which may contain what people said
 */
record SpanRecorder(Tracer tracer, boolean queryText) {
  static final String SEARCH = "search_memory";
  static final String UPDATE = "update_memory";
  static final String DELETE = "delete_memory";

  private static final String PROVIDER = "caliber";

  /** Runs the work in a span of its own; a failure is recorded with its code and rethrown. */
  <T> T runInSpan(String operation, SpaceId space, Function<Span, T> work) {
    Span span =
        tracer
            .spanBuilder(operation)
            .setAttribute("gen_ai.operation.name", operation)
            .setAttribute("gen_ai.provider.name", PROVIDER)
            .setAttribute("gen_ai.memory.store.id", space.value())
            .startSpan();
    try (Scope _ = span.makeCurrent()) {
      return work.apply(span);
    } catch (RuntimeException e) {
      span.setStatus(StatusCode.ERROR);
      span.setAttribute("error.type", errorCode(e));
      throw e;
    } finally {
      span.end();
    }
  }

  void recordQuery(Span span, String text) {
    if (queryText) {
      span.setAttribute("gen_ai.memory.query.text", text);
    }
  }

  private static String errorCode(RuntimeException failure) {
    return failure instanceof CaliberException known
        ? known.code().text()
        : failure.getClass().getName();
  }
}
