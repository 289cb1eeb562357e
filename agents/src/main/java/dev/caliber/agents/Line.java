package dev.caliber.agents;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The front of the line for a resource, as far as one wish has to know it: however long the line
 * is, it is read in a few steps.
 *
 * @param holders the first who hold it
 * @param queue the first who wait for it and would keep the wish waiting
 * @param lease what the wish's agent holds of it already
 * @param place where the wish's agent stands already
 */
record Line(
    Waiting.Wish wish,
    List<Lease> holders,
    List<LeaseWait> queue,
    Optional<Lease> lease,
    Optional<LeaseWait> place) {

  /** One's own entry, and one that says that there are more than are named. */
  static final int BESIDE = 2;

  /**
   * As of a snapshot; those whose time is over are in it, too.
   *
   * @param named how many of those before it the wish is told
   */
  static Line of(Rows rows, Waiting.Wish wish, int named) {
    int most = named + BESIDE;
    List<Lease> holders = rows.upTo(Lease.on(wish.resource()), most);
    List<LeaseWait> queue = rows.upTo(LeaseWait.before(wish), most);
    boolean all = wish.mode() == LeaseMode.EXCLUSIVE && queue.size() < most;
    return new Line(
        wish,
        holders,
        queue,
        own(
            holders,
            lease -> lease.holder().equals(wish.agent()),
            () ->
                holders.size() < most
                    ? Optional.empty()
                    : Lease.find(rows.snapshot(), wish.resource(), wish.agent())),
        own(
            queue,
            wait -> wait.agent().equals(wish.agent()),
            () ->
                all
                    ? Optional.empty()
                    : LeaseWait.find(rows.snapshot(), wish.resource(), wish.agent())));
  }

  private static <T> Optional<T> own(
      List<T> first, Predicate<T> isOwn, Supplier<Optional<T>> further) {
    return first.stream().filter(isOwn).findFirst().or(further);
  }

  /** Whether somebody is in it whose time is over. */
  boolean hasEnded(Instant now) {
    return Stream.concat(holders.stream(), lease.stream()).anyMatch(held -> !held.isLive(now))
        || Stream.concat(queue.stream(), place.stream()).anyMatch(wait -> !wait.isLive(now));
  }

  /** What the agent holds is enough. */
  Optional<Lease> enough() {
    return lease.filter(held -> held.mode().covers(wish.mode()));
  }

  /** A place is for what was asked for or less; who wants more stands behind the others. */
  Optional<LeaseWait> kept() {
    return place.filter(wait -> wait.mode().covers(wish.mode()));
  }

  Optional<LeaseWait> lost() {
    return place.filter(wait -> !wait.mode().covers(wish.mode()));
  }

  /** Those that the wish has to wait for, the first of them; nobody if it is its turn. */
  List<AgentId> before() {
    List<Lease> known = Stream.concat(lease.stream(), holders.stream()).distinct().toList();
    return Waiting.before(wish, known, queue.stream().filter(this::isBefore).toList());
  }

  private boolean isBefore(LeaseWait wait) {
    return !wait.agent().equals(wish.agent())
        && kept().filter(own -> !wait.isBefore(own)).isEmpty();
  }
}
