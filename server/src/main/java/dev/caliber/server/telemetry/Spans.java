package dev.caliber.server.telemetry;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.util.function.Function;

/**
 * Spans by the conventions for generative AI.
 *
 * @param queryText whether queries are told, which may hold what people have said
 */
record Spans(Tracer tracer, boolean queryText) {
  static final String SEARCH = "search_memory";
  static final String UPDATE = "update_memory";
  static final String DELETE = "delete_memory";

  private static final String PROVIDER = "caliber";

  /** Does the work in a span of its own; a failure is told with its code and thrown on. */
  <T> T in(String operation, SpaceId space, Function<Span, T> work) {
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
      span.setAttribute("error.type", code(e));
      throw e;
    } finally {
      span.end();
    }
  }

  void query(Span span, String text) {
    if (queryText) {
      span.setAttribute("gen_ai.memory.query.text", text);
    }
  }

  private static String code(RuntimeException failure) {
    return failure instanceof CaliberException known
        ? known.code().text()
        : failure.getClass().getName();
  }
}
