package dev.caliber.agents;

import java.util.List;
import java.util.Optional;

/** What became of the wish for a lease. */
public sealed interface Acquisition {

  /** It is held now. */
  record Granted(Lease lease) implements Acquisition {}

  /**
   * Others are before.
   *
   * @param behind the first of those who hold it or stand before in the queue
   * @param cut whether there are more than {@code agents.leases.named} of them
   */
  record Queued(LeaseWait place, List<AgentId> behind, boolean cut) implements Acquisition {
    public Queued {
      behind = List.copyOf(behind);
    }
  }

  default Optional<Lease> granted() {
    return this instanceof Granted(var lease) ? Optional.of(lease) : Optional.empty();
  }
}
