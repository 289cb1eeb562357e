package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.kernel.config.PcpConfig.WindowLimits;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.spi.AccessPolicy;
import dev.caliber.memory.spi.AccessPolicy.MemoryPermission;
import java.util.List;
import java.util.Optional;

/**
 * Assembler with access control: checks the actor's permission before each call. A call without an
 * actor is denied.
 */
record AccessCheckedAssembler(
    ContextAssembler assembler, AccessPolicy policy, Optional<String> actor)
    implements ContextAssembler {

  @Override
  public ContextAssembler asActor(String other) {
    return new AccessCheckedAssembler(assembler, policy, Optional.of(other));
  }

  private ContextAssembler requirePermission(SpaceId space, MemoryPermission memoryPermission) {
    if (actor.filter(name -> policy.allows(name, space, memoryPermission)).isEmpty()) {
      throw MemoryException.accessDenied(actor.orElse("anonymous"), space, memoryPermission);
    }
    return assembler;
  }

  /** Assembles; a window that is saved also needs the write permission. */
  @Override
  public AssembledWindow assemble(SpaceId space, AssembleRequest request) {
    requirePermission(space, MemoryPermission.READ);
    return requirePermission(
            space, request.dryRun() ? MemoryPermission.READ : MemoryPermission.WRITE)
        .assemble(space, request);
  }

  @Override
  public AssembledWindow applyLimits(
      SpaceId space, Window window, WindowLimits limits, WindowPersistence windowPersistence) {
    requirePermission(space, MemoryPermission.READ);
    return requirePermission(space, MemoryPermission.WRITE)
        .applyLimits(space, window, limits, windowPersistence);
  }

  @Override
  public Window window(SpaceId space, Id id) {
    return requirePermission(space, MemoryPermission.READ).window(space, id);
  }

  @Override
  public List<Window> windows(SpaceId space, Id trajectory, int limit) {
    return requirePermission(space, MemoryPermission.READ).windows(space, trajectory, limit);
  }

  @Override
  public String replay(SpaceId space, Window window) {
    return requirePermission(space, MemoryPermission.READ).replay(space, window);
  }

  @Override
  public WindowDiff diff(SpaceId space, Window window, Window other) {
    return requirePermission(space, MemoryPermission.READ).diff(space, window, other);
  }

  @Override
  public AnswerAnnotation annotate(SpaceId space, Window window, String answer) {
    return requirePermission(space, MemoryPermission.READ).annotate(space, window, answer);
  }
}
