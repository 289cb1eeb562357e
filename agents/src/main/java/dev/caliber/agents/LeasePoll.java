package dev.caliber.agents;

import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.AcquireLeaseResult;
import dev.caliber.agents.lease.Lease;
import dev.caliber.kernel.SpaceId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lease request that is repeated while it waits: when it can be granted, or to keep its place. */
final class LeasePoll {
  private final RecordStoreAgents agents;
  private final SpaceId space;
  private final AcquireLease command;
  private @Nullable AcquireLeaseResult last;

  LeasePoll(RecordStoreAgents agents, SpaceId space, AcquireLease command) {
    this.agents = agents;
    this.space = space;
    this.command = command;
  }

  Optional<Lease> pollLease() {
    if (last == null || agents.shouldPollAgain(space, command)) {
      last = agents.run(space, command);
    }
    return last.grantedLease();
  }

  AcquireLeaseResult lastResult() {
    return last == null ? agents.run(space, command) : last;
  }
}
