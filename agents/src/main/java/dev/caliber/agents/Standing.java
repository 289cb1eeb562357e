package dev.caliber.agents;

import java.time.Instant;
import java.util.List;

/**
 * Who holds what, who waits for whom, and what is stuck.
 *
 * @param cut the kinds of which there is more than is told here
 */
public record Standing(
    List<Lease> leases, List<Waiter> waiters, List<Stuck> stuck, List<String> cut) {
  public Standing {
    leases = List.copyOf(leases);
    waiters = List.copyOf(waiters);
    stuck = List.copyOf(stuck);
    cut = List.copyOf(cut);
  }

  /**
   * One who waits, and for whom.
   *
   * @param behind the first who are before it
   * @param cut whether more are before it than are named
   */
  public record Waiter(
      AgentId agent, Resource resource, List<AgentId> behind, Instant since, boolean cut) {
    public Waiter {
      behind = List.copyOf(behind);
    }
  }

  /**
   * Something that does not go on.
   *
   * @param kind one of {@link #KINDS}
   * @param reason what is the matter with it
   */
  public record Stuck(String kind, String id, String reason, Instant since) {
    public static final List<String> KINDS =
        List.of("agent", "wait", "message", "delegation", "handoff", "conflict");
  }
}
