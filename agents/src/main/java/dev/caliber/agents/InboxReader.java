package dev.caliber.agents;

import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.ResultPage;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reader of pending records, page by page. The cursor is a position in the order of the list, so
 * that records taken meanwhile cause no gaps or repetitions.
 *
 * @param inboxes the inboxes to read, in order
 * @param limit records of a page
 */
record InboxReader(Snapshot snapshot, List<String> inboxes, int limit) {
  private static final String SEPARATOR = "-";
  private static final int PARTS_OF_MAIL = 3;

  static final InboxTable<Delegation> DELEGATIONS =
      new InboxTable<>(Delegation.TABLE, Delegation::id, delegation -> delegation.to().inbox());

  static final InboxTable<Handoff> HANDOFFS =
      new InboxTable<>(Handoff.TABLE, Handoff::id, handoff -> handoff.to().inbox());

  /** Reads work: inbox after inbox, oldest first. */
  <T> ResultPage<T> readWork(InboxTable<T> inboxTable, Optional<String> after) {
    Optional<WorkPagePosition> stop = after.map(WorkPagePosition::parse);
    List<T> found = new ArrayList<>();
    for (int line = stop.map(WorkPagePosition::inboxIndex).orElse(0);
        line < inboxes.size();
        line++) {
      int here = line;
      Query<T> whole = Query.over(inboxTable.table(), "pending_inbox").equal(inboxes.get(line));
      Query<T> rest =
          stop.filter(place -> place.inboxIndex() == here)
              .map(place -> queryAfter(whole, inboxTable, place.last()))
              .orElse(whole);
      found.addAll(snapshot.list(rest, Math.max(1, limit + 1 - found.size())));
    }
    return toPage(
        found,
        last ->
            new WorkPagePosition(
                inboxes.indexOf(inboxTable.inbox().apply(last)), inboxTable.id().apply(last)));
  }

  /** Table of work that waits to be accepted. */
  record InboxTable<T>(Table<T> table, Function<T, Id> id, Function<T, String> inbox) {}

  private static <T> Query<T> queryAfter(Query<T> line, InboxTable<T> inboxTable, Id last) {
    return line.from(last.toString()).where(work -> !inboxTable.id().apply(work).equals(last));
  }

  private record WorkPagePosition(int inboxIndex, Id last) {
    static WorkPagePosition parse(String text) {
      String[] parts = text.split(SEPARATOR, 2);
      try {
        return new WorkPagePosition(
            Integer.parseUnsignedInt(parts[0]), Id.parse(parts[parts.length - 1]));
      } catch (NumberFormatException | KernelException _) {
        throw invalidCursor();
      }
    }

    @Override
    public String toString() {
      return inboxIndex + SEPARATOR + last;
    }
  }

  /** Reads messages of all inboxes together, by priority, then by age. */
  ResultPage<Message> readMail(Optional<Agent> receiver, Instant now, Optional<String> after) {
    Optional<MailPagePosition> stop = after.map(MailPagePosition::parse);
    List<Message> found = new ArrayList<>();
    for (String line : inboxes) {
      Query<Message> whole = Message.queryPendingIn(line);
      Query<Message> rest = stop.map(place -> whole.from(place.rank())).orElse(whole);
      found.addAll(
          snapshot.list(
              rest.where(
                  message ->
                      !message.isExpired(now)
                          && receiver.filter(one -> !message.to().includes(one)).isEmpty()
                          && stop.filter(place -> !place.isBefore(message)).isEmpty()),
              limit + 1));
    }
    found.sort(MailHandler.ORDER);
    return toPage(found, MailPagePosition::of);
  }

  private record MailPagePosition(long rank, long sequence, Id id) {
    private static final Comparator<MailPagePosition> ORDER =
        Comparator.comparingLong(MailPagePosition::rank)
            .thenComparingLong(MailPagePosition::sequence)
            .thenComparing(MailPagePosition::id);

    static MailPagePosition of(Message message) {
      return new MailPagePosition(message.priority().rank(), message.sequence(), message.id());
    }

    static MailPagePosition parse(String text) {
      String[] parts = text.split(SEPARATOR, -1);
      if (parts.length != PARTS_OF_MAIL) {
        throw invalidCursor();
      }
      try {
        return new MailPagePosition(
            Long.parseLong(parts[0]), Long.parseLong(parts[1]), Id.parse(parts[2]));
      } catch (NumberFormatException | KernelException _) {
        throw invalidCursor();
      }
    }

    boolean isBefore(Message message) {
      return ORDER.compare(this, of(message)) < 0;
    }

    @Override
    public String toString() {
      return rank + SEPARATOR + sequence + SEPARATOR + id;
    }
  }

  private <T> ResultPage<T> toPage(List<T> found, Function<T, Object> stop) {
    List<T> shown = found.subList(0, Math.min(limit, found.size()));
    return new ResultPage<>(
        shown,
        found.size() > limit
            ? Optional.of(stop.apply(shown.getLast()).toString())
            : Optional.empty());
  }

  private static KernelException invalidCursor() {
    return KernelException.invalidValue(
        "cursor",
        "the cursor does not belong to this list: send the value 'next' of a page of the list");
  }
}
