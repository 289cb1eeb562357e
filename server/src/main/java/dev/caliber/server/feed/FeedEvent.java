package dev.caliber.server.feed;

import dev.caliber.server.operation.ServerException;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.RecordChange;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A commit as clients receive it, and the ids of positions in the feed. */
public record FeedEvent(long sequence, Instant time, List<RecordChange> changes) {
  private static final String SEPARATOR = "-";

  public FeedEvent {
    changes = List.copyOf(changes);
  }

  /**
   * Returns the event with the changes of these tables, or of all tables if the set is empty;
   * nothing if the commit has none.
   */
  public static Optional<FeedEvent> of(Commit commit, Set<String> tables) {
    List<RecordChange> wanted =
        commit.changes().stream()
            .filter(recordChange -> tables.isEmpty() || tables.contains(recordChange.table()))
            .toList();
    return Optional.of(new FeedEvent(commit.sequence(), commit.time(), wanted))
        .filter(event -> !event.changes().isEmpty());
  }

  /** Returns the id of a position, from which a client can resume. */
  public static String eventId(FeedCursor at) {
    return at.epoch() + SEPARATOR + at.sequence();
  }

  /** Returns the position after an event id or a sequence; without either, the end of the feed. */
  public static FeedCursor startCursor(FeedCursor head, Optional<String> after) {
    return after.map(named -> parseCursor(head, named)).orElse(head);
  }

  private static FeedCursor parseCursor(FeedCursor head, String named) {
    String[] parts = named.split(SEPARATOR, 2);
    try {
      return parts.length == 2
          ? new FeedCursor(Long.parseLong(parts[0]), Long.parseLong(parts[1]))
          : new FeedCursor(head.epoch(), Long.parseLong(named));
    } catch (IllegalArgumentException _) {
      throw ServerException.invalidInput(
          "/after", "Expected the number of a commit or the id of an event");
    }
  }
}
