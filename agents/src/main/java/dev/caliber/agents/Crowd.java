package dev.caliber.agents;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Everybody at one resource, for the lines of all who wait there: of those before a wish only the
 * first are looked at, so that all lines together take no longer than the crowd is large.
 *
 * @param exclusive those of the queue who want all of it: nobody else keeps one who shares waiting
 */
record Crowd(
    List<Lease> holders,
    Map<AgentId, Lease> leases,
    List<LeaseWait> queue,
    List<LeaseWait> exclusive) {

  static Crowd of(List<Lease> holders, List<LeaseWait> queue) {
    return new Crowd(
        holders,
        holders.stream().collect(Collectors.toMap(Lease::holder, Function.identity())),
        queue,
        queue.stream().filter(wait -> wait.mode() == LeaseMode.EXCLUSIVE).toList());
  }

  /**
   * The front of the line for one who waits.
   *
   * @param named how many of those before it are told
   */
  Line line(LeaseWait wait, int named) {
    int most = named + Line.BESIDE;
    return new Line(
        Waiting.Wish.of(wait),
        first(holders, most),
        first(wait.mode() == LeaseMode.EXCLUSIVE ? queue : exclusive, most),
        Optional.ofNullable(leases.get(wait.agent())),
        Optional.of(wait));
  }

  private static <T> List<T> first(List<T> all, int most) {
    return all.subList(0, Math.min(all.size(), most));
  }
}
