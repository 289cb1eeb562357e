package dev.caliber.app.command;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.CommandGroup;
import dev.caliber.app.shell.CommandOutput;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.OpenIndex;
import dev.caliber.app.shell.OperationCommand;
import dev.caliber.app.shell.ProgressBar;
import dev.caliber.app.shell.RecordTable;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.search.IndexCheckReport;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The commands {@code caliber index}, which work on the index of a store that no server holds. */
public record IndexCommands(CommandContext commandContext) {
  private static final RecordTable<SearchStatus> STATUS =
      RecordTable.of(SearchStatus.class)
          .column("SPACE", SearchStatus::space)
          .column("INDEX", SearchStatus::generation)
          .column("APPLIED", SearchStatus::applied)
          .column("HEAD", SearchStatus::head)
          .column("DOCUMENTS", SearchStatus::documents)
          .column("VECTORS", SearchStatus::vectors)
          .column("PENDING", SearchStatus::backlog)
          .column("FAILED", SearchStatus::failed)
          .column("NOTE", SearchStatus::degraded);

  public CommandLine index() {
    return CommandGroup.of(
        "index",
        "Show, check and rebuild search indexes.",
        command(
            "status",
            "Show the progress of each space's search index.",
            "First updates each index, for at most as long as a query would. BACKLOG counts"
                + " documents that wait for vectors, FAILED those whose text cannot be embedded.",
            this::showStatus),
        command(
            "embed",
            "Create the vectors that search indexes wait for.",
            "Loads the configured embedding model and embeds every text that has no vector yet."
                + " Vectors created before an interruption are kept.",
            this::embed),
        command(
            "check",
            "Compare search indexes with the records.",
            "Exit code 1 if an index lacks a document, has an outdated one, or has one too many.",
            this::check),
        command(
            "rebuild",
            "Rebuild search indexes from the records.",
            "Vectors are kept in the store, so the model is called only for texts without one.",
            () ->
                build(
                    (index, space, progress) -> {
                      index.rebuild(space, progress);
                      return "is new";
                    })),
        command(
            "migrate",
            "Build search indexes that the settings require and that do not exist yet.",
            "Use it after a change of model, analysis or declarations. The old index answers until"
                + " the new one is complete; an interrupted migration continues. Texts that are new"
                + " to the model are embedded afterwards.",
            () ->
                build(
                    (index, space, progress) ->
                        index.migrate(space, progress) ? "is new" : "is up to date")));
  }

  private CommandLine command(
      String name, String header, String description, Supplier<ExitCode> work) {
    return OperationCommand.named(commandContext, name, header)
        .description(description)
        .runsAlone(_ -> work.get());
  }

  private ExitCode showStatus() {
    List<SearchStatus> all = new ArrayList<>();
    try (OpenIndex search = OpenIndex.of(commandContext)) {
      for (SpaceId space : search.spaces()) {
        search.awaitIndexed(space);
        all.add(search.index().status(space));
      }
    }
    CommandOutput output = commandContext.output();
    output.printResults(all, () -> STATUS.print(all, output.terminal()));
    return ExitCode.OK;
  }

  private ExitCode embed() {
    try (OpenIndex search = OpenIndex.of(commandContext);
        ProgressBar bar = ProgressBar.forTerminal(commandContext.terminal())) {
      search.models().embedder("caliber index embed");
      for (SpaceId space : search.spaces()) {
        search.index().embedPending(space, bar);
        SearchStatus status = search.index().status(space);
        commandContext
            .output()
            .printResult(
                status,
                "Space %s: %,d vectors, %,d texts wait."
                    .formatted(space, status.vectors(), status.backlog()));
      }
    }
    return ExitCode.OK;
  }

  private ExitCode check() {
    long differences = 0;
    try (OpenIndex search = OpenIndex.of(commandContext);
        ProgressBar bar = ProgressBar.forTerminal(commandContext.terminal())) {
      for (SpaceId space : search.spaces()) {
        IndexCheckReport check = search.index().check(space, bar);
        differences += check.differences();
        commandContext.output().printResult(check, () -> print(space, check));
      }
    }
    return differences == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private void print(SpaceId space, IndexCheckReport check) {
    check.examples().forEach(commandContext.terminal()::printLine);
    commandContext
        .terminal()
        .printLine(
            "%s: %,d documents, %,d vectors, %,d differences"
                .formatted(space, check.documents(), check.vectors(), check.differences()));
  }

  /** Builds one space's index; returns its state. */
  @FunctionalInterface
  private interface IndexBuildStep {
    String build(SearchIndex index, SpaceId space, ProgressListener progress);
  }

  /**
   * Builds the indexes of spaces and the vectors of their documents. If a model fails, the indexes
   * have words only; the failure is reported once, after the last space.
   */
  private ExitCode build(IndexBuildStep step) {
    List<CaliberException> failures = new ArrayList<>();
    try (OpenIndex search = OpenIndex.of(commandContext);
        ProgressBar bar = ProgressBar.forTerminal(commandContext.terminal())) {
      for (SpaceId space : search.spaces()) {
        String built = step.build(search.index(), space, bar);
        try {
          search.index().embedPending(space, bar);
        } catch (CaliberException e) {
          failures.add(e);
        }
        SearchStatus status = search.index().status(space);
        commandContext.output().printResult(status, builtText(status, built));
      }
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
    return ExitCode.OK;
  }

  private static String builtText(SearchStatus status, String built) {
    return "The index of space %s %s: %,d documents, %,d vectors%s."
        .formatted(
            status.space(),
            built,
            status.documents(),
            status.vectors(),
            status.backlog() == 0
                ? ""
                : ", %,d documents wait for their vectors".formatted(status.backlog()));
  }
}
