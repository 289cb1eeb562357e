package dev.caliber.agents;

import java.time.Duration;
import java.util.Optional;

/**
 * Asks for a lease, at once or with a place in the queue. Asking again for what one holds prolongs
 * it; asking again while one waits keeps the place.
 *
 * @param length how long it is held unless it is renewed; empty: as configured
 * @param queued whether to wait in the queue when others are before
 */
public record AcquireLease(
    AgentId agent, Resource resource, LeaseMode mode, Optional<Duration> length, boolean queued)
    implements AgentCommand<Acquisition> {

  public static AcquireLease exclusive(AgentId agent, Resource resource) {
    return new AcquireLease(agent, resource, LeaseMode.EXCLUSIVE, Optional.empty(), false);
  }

  public static AcquireLease shared(AgentId agent, Resource resource) {
    return new AcquireLease(agent, resource, LeaseMode.SHARED, Optional.empty(), false);
  }

  public AcquireLease lasting(Duration newLength) {
    return new AcquireLease(agent, resource, mode, Optional.of(newLength), queued);
  }

  public AcquireLease waiting() {
    return new AcquireLease(agent, resource, mode, length, true);
  }
}
