package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Trajectory;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code caliber windows}. */
@Command(
    name = "windows",
    header = "The windows of a trajectory that are kept, newest first.",
    description =
        "Says of each its id, when it was made, how much of its budget it used, and until when it is"
            + " kept. 'caliber explain' shows one of them, 'caliber annotate' holds an answer"
            + " against it.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber windows thread-7",
      "  caliber windows thread-7 --limit 1 --json",
    })
final class WindowsCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "The most windows; at most memory.limits.page, which is the value without it.")
  private Optional<Integer> limit = Optional.empty();

  WindowsCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  /** What tells a window from others; its ledger is for {@code explain}. */
  private record Kept(
      Id id,
      Instant assembledAt,
      int usedTokens,
      int maxTokens,
      Optional<Instant> expiresAt,
      Optional<Instant> asOf,
      Optional<String> query) {
    static Kept of(Window window) {
      return new Kept(
          window.id(),
          window.assembledAt(),
          window.usedTokens(),
          window.maxTokens(),
          window.expiresAt(),
          window.inputs().asOf(),
          window.inputs().query());
    }
  }

  @Override
  public Integer call() {
    int most = most();
    List<Kept> found =
        workbench.ask(remote -> ask(remote, most), () -> read(most)).stream()
            .map(Kept::of)
            .toList();
    workbench.output().results(found, () -> print(found, most));
    return ExitCode.OK.number();
  }

  private int most() {
    int page = workbench.rooms().memory().limits().page();
    int wanted = limit.orElse(page);
    if (wanted < 1 || wanted > page) {
      throw AppException.usage(
          "--limit: wanted 1 to %d (memory.limits.page), found %d".formatted(page, wanted),
          "Windows are listed newest first.");
    }
    return wanted;
  }

  private List<Window> ask(Remote remote, int most) {
    String path = "/trajectories/" + trajectory.of(remote);
    Trajectory _ = remote.get(path, Trajectory.class); // refused if there is none
    int page = Math.min(most, workbench.rooms().server().limits().page());
    return remote.list(path + "/windows?limit=" + page, Window.class, most);
  }

  private List<Window> read(int most) {
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, false)) {
      Id wanted = trajectory.of(context, space);
      Trajectory found = context.memory().view(space, view -> view.trajectory(wanted));
      return context.assembler().windows(space, found.id(), most);
    }
  }

  private void print(List<Kept> found, int most) {
    if (found.isEmpty()) {
      workbench.terminal().note("No window of it is kept.");
      return;
    }
    TextTable table = TextTable.of("WINDOW", "MADE", "TOKENS", "KEPT UNTIL", "QUERY");
    found.forEach(
        window ->
            table.row(
                window.id().toString(),
                Timestamps.format(window.assembledAt()),
                "%,d of %,d".formatted(window.usedTokens(), window.maxTokens()),
                window.expiresAt().map(Timestamps::format).orElse("for good"),
                window.query().map(TextTable::cut).orElse("")));
    workbench.output().table(table);
    if (found.size() == most) {
      workbench.terminal().note("The newest %,d; there may be older ones.".formatted(most));
    }
  }
}
