package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import dev.caliber.kernel.config.PcpConfig.Dosage;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.spi.AccessPolicy;
import dev.caliber.memory.spi.AccessPolicy.Access;
import java.util.List;
import java.util.Optional;

/** Asks before it shows anything. Nobody in particular sees nothing. */
record GuardedAssembler(ContextAssembler assembler, AccessPolicy policy, Optional<String> actor)
    implements ContextAssembler {

  @Override
  public ContextAssembler as(String other) {
    return new GuardedAssembler(assembler, policy, Optional.of(other));
  }

  private ContextAssembler allowed(SpaceId space, Access access) {
    if (actor.filter(name -> policy.allows(name, space, access)).isEmpty()) {
      throw MemoryException.denied(actor.orElse("nobody"), space, access);
    }
    return assembler;
  }

  /** A window that is kept is a write as well. */
  @Override
  public Assembled assemble(SpaceId space, AssembleRequest request) {
    allowed(space, Access.READ);
    return allowed(space, request.dryRun() ? Access.READ : Access.WRITE).assemble(space, request);
  }

  @Override
  public Assembled dose(SpaceId space, Window window, Dosage limits, Persistence persistence) {
    allowed(space, Access.READ);
    return allowed(space, Access.WRITE).dose(space, window, limits, persistence);
  }

  @Override
  public Window window(SpaceId space, Id id) {
    return allowed(space, Access.READ).window(space, id);
  }

  @Override
  public List<Window> windows(SpaceId space, Id trajectory, int limit) {
    return allowed(space, Access.READ).windows(space, trajectory, limit);
  }

  @Override
  public String replay(SpaceId space, Window window) {
    return allowed(space, Access.READ).replay(space, window);
  }

  @Override
  public WindowDiff diff(SpaceId space, Window window, Window other) {
    return allowed(space, Access.READ).diff(space, window, other);
  }

  @Override
  public Annotation annotate(SpaceId space, Window window, String answer) {
    return allowed(space, Access.READ).annotate(space, window, answer);
  }
}
