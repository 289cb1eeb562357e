package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.store.Change;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.StoreConfig;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code caliber feed tail}. */
@Command(
    name = "tail",
    header = "Print the commits of a space, oldest first.",
    description =
        "One line a commit: its number, its time, and the records that it created, updated or"
            + " deleted.")
final class FeedTailCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Option(
      names = "--from",
      paramLabel = "SEQ",
      description = "The first commit to print. Without it: the oldest that is kept.")
  private Optional<Long> from = Optional.empty();

  @Option(
      names = "--follow",
      description =
          "Go on printing as commits happen, until interrupted. For PostgreSQL: an embedded store"
              + " belongs to one process at a time, which then is this one.")
  private boolean follow;

  FeedTailCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    SpaceId space = workbench.space();
    try (OpenStore store = workbench.open()) {
      if (follow && !(store.config().engine() instanceof StoreConfig.Postgres)) {
        workbench
            .terminal()
            .note("No other process can write to this embedded store while it is followed here.");
      }
      print(store, space);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // somebody has seen enough
    }
    return ExitCode.OK.number();
  }

  private void print(OpenStore store, SpaceId space) throws InterruptedException {
    StoreConfig.Feed limits = store.config().feed();
    FeedCursor cursor = begin(store, space);
    while (!workbench.terminal().isGone()) {
      List<Commit> commits =
          follow
              ? store.feed().await(space, cursor, limits.pageLimit(), limits.pollInterval())
              : store.feed().read(space, cursor, limits.pageLimit());
      if (commits.isEmpty() && !follow) {
        break;
      }
      commits.forEach(this::print);
      cursor = commits.isEmpty() ? cursor : after(cursor, commits);
    }
  }

  private FeedCursor begin(OpenStore store, SpaceId space) {
    FeedCursor head = store.feed().head(space);
    if (from.isEmpty()) {
      return store.feed().oldest(space);
    }
    long first = from.get();
    if (first < 1 || first > head.sequence() + 1) {
      throw AppException.usage(
          "--from %d is no commit of space '%s', whose next one is %d"
              .formatted(first, space, head.sequence() + 1),
          "Name one from 1 to there, or leave --from out.");
    }
    return new FeedCursor(head.epoch(), first - 1);
  }

  private static FeedCursor after(FeedCursor cursor, List<Commit> commits) {
    return new FeedCursor(cursor.epoch(), commits.getLast().sequence());
  }

  private void print(Commit commit) {
    workbench.output().result(commit, line(commit));
  }

  /** The commit as one line: number, time, changes. */
  private static String line(Commit commit) {
    String changes =
        commit.changes().isEmpty()
            ? "(only records that the feed leaves out)"
            : String.join(", ", changes(commit));
    return "%d  %s  %s".formatted(commit.sequence(), Timestamps.format(commit.time()), changes);
  }

  static List<String> changes(Commit commit) {
    return commit.changes().stream().map(FeedTailCommand::text).toList();
  }

  private static String text(Change change) {
    return "%s %s %s"
        .formatted(change.kind().name().toLowerCase(Locale.ROOT), change.table(), change.key());
  }
}
