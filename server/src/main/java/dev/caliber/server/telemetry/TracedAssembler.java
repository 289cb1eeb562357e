package dev.caliber.server.telemetry;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.kernel.config.ContextIntegrityConfig.WindowLimits;
import dev.caliber.memory.context.AssembledWindow;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.explain.WindowDiff;
import dev.caliber.memory.context.window.AnswerAnnotation;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.Window;
import java.util.List;

/** An assembler that records a span for each window. */
record TracedAssembler(ContextAssembler assembler, SpanRecorder spans) implements ContextAssembler {

  @Override
  public AssembledWindow assemble(SpaceId space, AssembleRequest request) {
    return spans.runInSpan(
        SpanRecorder.SEARCH,
        space,
        span -> {
          span.setAttribute("gen_ai.conversation.id", request.trajectory().toString());
          request.query().ifPresent(query -> spans.recordQuery(span, query));
          AssembledWindow made = assembler.assemble(space, request);
          span.setAttribute("caliber.window.id", made.window().id().toString());
          span.setAttribute("caliber.window.tokens", made.window().usedTokens());
          return made;
        });
  }

  @Override
  public Window window(SpaceId space, Id id) {
    return assembler.window(space, id);
  }

  @Override
  public List<Window> windows(SpaceId space, Id trajectory, int limit) {
    return assembler.windows(space, trajectory, limit);
  }

  @Override
  public String replay(SpaceId space, Window window) {
    return assembler.replay(space, window);
  }

  @Override
  public WindowDiff diff(SpaceId space, Window window, Window other) {
    return assembler.diff(space, window, other);
  }

  @Override
  public AssembledWindow applyLimits(
      SpaceId space, Window window, WindowLimits limits, WindowPersistence windowPersistence) {
    return assembler.applyLimits(space, window, limits, windowPersistence);
  }

  @Override
  public AnswerAnnotation annotate(SpaceId space, Window window, String answer) {
    return assembler.annotate(space, window, answer);
  }
}
