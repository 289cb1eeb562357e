package dev.caliber.app.command;

import dev.caliber.app.shell.AppException;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.OpenStore;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.RecordChange;
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
        "One line per commit: its number, its time, and the records that it created, updated or"
            + " deleted.")
public final class FeedTailCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Option(
      names = "--from-sequence",
      paramLabel = "SEQ",
      description = "The first commit to print. Default: the oldest one in the feed.")
  private Optional<Long> from = Optional.empty();

  @Option(
      names = "--follow",
      description =
          "Print new commits until interrupted. For PostgreSQL: only one process at a time can open"
              + " an embedded store, and this command then holds it.")
  private boolean follow;

  public FeedTailCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    SpaceId space = commandContext.space();
    try (OpenStore store = commandContext.open()) {
      if (follow && !(store.config().engine() instanceof StoreConfig.PostgresSettings)) {
        commandContext
            .terminal()
            .printNote(
                "While this command follows the embedded store, no other process can write to it.");
      }
      print(store, space);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // interrupted: stop following
    }
    return ExitCode.OK.number();
  }

  private void print(OpenStore store, SpaceId space) throws InterruptedException {
    StoreConfig.FeedSettings limits = store.config().feed();
    FeedCursor cursor = startCursor(store, space);
    while (!commandContext.terminal().isClosed()) {
      List<Commit> commits =
          follow
              ? store.feed().await(space, cursor, limits.pageLimit(), limits.pollInterval())
              : store.feed().read(space, cursor, limits.pageLimit());
      if (commits.isEmpty() && !follow) {
        break;
      }
      commits.forEach(this::print);
      cursor = commits.isEmpty() ? cursor : nextCursor(cursor, commits);
    }
  }

  private FeedCursor startCursor(OpenStore store, SpaceId space) {
    FeedCursor head = store.feed().head(space);
    if (from.isEmpty()) {
      return store.feed().oldestCursor(space);
    }
    long first = from.get();
    if (first < 1 || first > head.sequence() + 1) {
      throw AppException.usage(
          "--from-sequence %d is not a commit of space '%s', whose next commit is %d"
              .formatted(first, space, head.sequence() + 1),
          "Name a commit from 1 to that number, or leave out --from-sequence.");
    }
    return new FeedCursor(head.epoch(), first - 1);
  }

  private static FeedCursor nextCursor(FeedCursor cursor, List<Commit> commits) {
    return new FeedCursor(cursor.epoch(), commits.getLast().sequence());
  }

  private void print(Commit commit) {
    commandContext.output().printResult(commit, commitLine(commit));
  }

  /** Formats a commit as one line: number, time, changes. */
  private static String commitLine(Commit commit) {
    String changes =
        commit.changes().isEmpty()
            ? "(only records that the feed does not show)"
            : String.join(", ", changeLines(commit));
    return "%d  %s  %s".formatted(commit.sequence(), Timestamps.format(commit.time()), changes);
  }

  public static List<String> changeLines(Commit commit) {
    return commit.changes().stream().map(FeedTailCommand::changeText).toList();
  }

  private static String changeText(RecordChange recordChange) {
    return "%s %s %s"
        .formatted(
            recordChange.kind().name().toLowerCase(Locale.ROOT),
            recordChange.table(),
            recordChange.key());
  }
}
