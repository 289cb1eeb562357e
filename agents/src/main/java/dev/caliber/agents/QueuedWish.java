package dev.caliber.agents;

import dev.caliber.kernel.SpaceId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A wish that is asked again while it waits: when its turn has come, or to keep its place. */
final class QueuedWish {
  private final RecordedAgents agents;
  private final SpaceId space;
  private final AcquireLease command;
  private @Nullable Acquisition last;

  QueuedWish(RecordedAgents agents, SpaceId space, AcquireLease command) {
    this.agents = agents;
    this.space = space;
    this.command = command;
  }

  Optional<Lease> granted() {
    if (last == null || agents.isWorthAsking(space, command)) {
      last = agents.run(space, command);
    }
    return last.granted();
  }

  Acquisition last() {
    return last == null ? agents.run(space, command) : last;
  }
}
