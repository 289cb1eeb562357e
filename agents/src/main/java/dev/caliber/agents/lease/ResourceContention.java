package dev.caliber.agents.lease;

import dev.caliber.agents.registry.AgentId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Holders and waiting agents of one resource, shared by the queue fronts of all of them: each front
 * takes only the first ones, so that all together take linear time.
 *
 * @param exclusiveQueue the entries that wait for exclusive mode, which alone block a shared
 *     request
 */
public record ResourceContention(
    List<Lease> holders,
    Map<AgentId, Lease> leasesByHolder,
    List<LeaseQueueEntry> queue,
    List<LeaseQueueEntry> exclusiveQueue) {

  public static ResourceContention of(List<Lease> holders, List<LeaseQueueEntry> queue) {
    return new ResourceContention(
        holders,
        holders.stream().collect(Collectors.toMap(Lease::holder, Function.identity())),
        queue,
        queue.stream().filter(wait -> wait.mode() == LeaseMode.EXCLUSIVE).toList());
  }

  /**
   * Returns the front of the queue for one entry.
   *
   * @param named number of blocking agents to name
   */
  public LeaseQueueFront queueFront(LeaseQueueEntry wait, int named) {
    int most = named + LeaseQueueFront.BESIDE;
    return new LeaseQueueFront(
        LeaseRequest.of(wait),
        first(holders, most),
        first(wait.mode() == LeaseMode.EXCLUSIVE ? queue : exclusiveQueue, most),
        Optional.ofNullable(leasesByHolder.get(wait.agent())),
        Optional.of(wait));
  }

  private static <T> List<T> first(List<T> all, int most) {
    return all.subList(0, Math.min(all.size(), most));
  }
}
