package dev.caliber.server.feed;

import dev.caliber.server.operation.ServerException;
import dev.caliber.store.Change;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A commit as clients are told of it, and the names of places in the feed. */
public record FeedEvent(long sequence, Instant time, List<Change> changes) {
  private static final String SEPARATOR = "-";

  public FeedEvent {
    changes = List.copyOf(changes);
  }

  /** With what changed in these tables, or in all if there are none; nothing where nothing did. */
  public static Optional<FeedEvent> of(Commit commit, Set<String> tables) {
    List<Change> wanted =
        commit.changes().stream()
            .filter(change -> tables.isEmpty() || tables.contains(change.table()))
            .toList();
    return Optional.of(new FeedEvent(commit.sequence(), commit.time(), wanted))
        .filter(event -> !event.changes().isEmpty());
  }

  /** The name of a place, from which a client can go on. */
  public static String place(FeedCursor at) {
    return at.epoch() + SEPARATOR + at.sequence();
  }

  /** Behind a place, or a sequence; without either, what comes from now on. */
  public static FeedCursor start(FeedCursor head, Optional<String> after) {
    return after.map(named -> parse(head, named)).orElse(head);
  }

  private static FeedCursor parse(FeedCursor head, String named) {
    String[] parts = named.split(SEPARATOR, 2);
    try {
      return parts.length == 2
          ? new FeedCursor(Long.parseLong(parts[0]), Long.parseLong(parts[1]))
          : new FeedCursor(head.epoch(), Long.parseLong(named));
    } catch (IllegalArgumentException _) {
      throw ServerException.invalidInput("/after", "Wanted a sequence or the id of an event");
    }
  }
}
