package dev.caliber.server.telemetry;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import dev.caliber.kernel.config.PcpConfig.Dosage;
import dev.caliber.memory.context.Annotation;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Assembled;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.context.WindowDiff;
import java.util.List;

/** An assembler whose windows are spans. */
record TracedAssembler(ContextAssembler assembler, Spans spans) implements ContextAssembler {

  @Override
  public ContextAssembler as(String actor) {
    return new TracedAssembler(assembler.as(actor), spans);
  }

  @Override
  public Assembled assemble(SpaceId space, AssembleRequest request) {
    return spans.in(
        Spans.SEARCH,
        space,
        span -> {
          span.setAttribute("gen_ai.conversation.id", request.trajectory().toString());
          request.query().ifPresent(query -> spans.query(span, query));
          Assembled made = assembler.assemble(space, request);
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
  public Assembled dose(SpaceId space, Window window, Dosage limits, Persistence persistence) {
    return assembler.dose(space, window, limits, persistence);
  }

  @Override
  public Annotation annotate(SpaceId space, Window window, String answer) {
    return assembler.annotate(space, window, answer);
  }
}
