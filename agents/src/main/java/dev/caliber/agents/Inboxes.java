package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What waits for somebody, part by part. A part ends at a place in the order of its list, so that
 * what was taken meanwhile is no gap and nothing comes twice.
 *
 * @param lines the inboxes in which it may wait, the first in front
 * @param most records of a part
 */
record Inboxes(Rows rows, List<String> lines, int most) {
  private static final String SEPARATOR = "-";
  private static final int PARTS_OF_MAIL = 3;

  /** Work: line after line, oldest first. */
  <T> Part<T> work(Kind<T> kind, Optional<String> after) {
    Optional<Stop> stop = after.map(Stop::parse);
    List<T> found = new ArrayList<>();
    for (int line = stop.map(Stop::line).orElse(0); line < lines.size(); line++) {
      int here = line;
      Query<T> whole = Query.over(kind.table(), "pending_inbox").equal(lines.get(line));
      Query<T> rest =
          stop.filter(place -> place.line() == here)
              .map(place -> behind(whole, kind, place.last()))
              .orElse(whole);
      found.addAll(rows.upTo(rest, Math.max(1, most + 1 - found.size())));
    }
    return part(
        found, last -> new Stop(lines.indexOf(kind.inbox().apply(last)), kind.id().apply(last)));
  }

  /** A sort of work that waits to be accepted. */
  record Kind<T>(Table<T> table, Function<T, Id> id, Function<T, String> inbox) {}

  private static <T> Query<T> behind(Query<T> line, Kind<T> kind, Id last) {
    return line.from(last.toString()).where(work -> !kind.id().apply(work).equals(last));
  }

  private record Stop(int line, Id last) {
    static Stop parse(String text) {
      String[] parts = text.split(SEPARATOR, 2);
      try {
        return new Stop(Integer.parseUnsignedInt(parts[0]), Id.parse(parts[parts.length - 1]));
      } catch (NumberFormatException | KernelException _) {
        throw invalid();
      }
    }

    @Override
    public String toString() {
      return line + SEPARATOR + last;
    }
  }

  /** Mail of all lines together: by priority, then by age. */
  Part<Message> mail(Optional<Agent> receiver, Instant now, Optional<String> after) {
    Optional<MailStop> stop = after.map(MailStop::parse);
    List<Message> found = new ArrayList<>();
    for (String line : lines) {
      Query<Message> whole = Message.waitingIn(line);
      Query<Message> rest = stop.map(place -> whole.from(place.rank())).orElse(whole);
      found.addAll(
          rows.upTo(
              rest.where(
                  message ->
                      !message.isExpired(now)
                          && receiver.filter(one -> !message.to().includes(one)).isEmpty()
                          && stop.filter(place -> !place.isBefore(message)).isEmpty()),
              most + 1));
    }
    found.sort(MailWork.ORDER);
    return part(found, MailStop::of);
  }

  private record MailStop(long rank, long sequence, Id id) {
    private static final Comparator<MailStop> ORDER =
        Comparator.comparingLong(MailStop::rank)
            .thenComparingLong(MailStop::sequence)
            .thenComparing(MailStop::id);

    static MailStop of(Message message) {
      return new MailStop(message.priority().rank(), message.sequence(), message.id());
    }

    static MailStop parse(String text) {
      String[] parts = text.split(SEPARATOR, -1);
      if (parts.length != PARTS_OF_MAIL) {
        throw invalid();
      }
      try {
        return new MailStop(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Id.parse(parts[2]));
      } catch (NumberFormatException | KernelException _) {
        throw invalid();
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

  private <T> Part<T> part(List<T> found, Function<T, Object> stop) {
    List<T> shown = found.subList(0, Math.min(most, found.size()));
    return new Part<>(
        shown,
        found.size() > most
            ? Optional.of(stop.apply(shown.getLast()).toString())
            : Optional.empty());
  }

  private static KernelException invalid() {
    return KernelException.invalidValue("cursor", "wanted the next of a part of this list");
  }
}
