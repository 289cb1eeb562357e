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
    header = "List the stored windows of a trajectory, newest first.",
    description =
        "Shows the id, the creation time, the used budget and the expiry of each. 'caliber explain'"
            + " shows one of them, 'caliber annotate' checks an answer against it.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber windows thread-7",
      "  caliber windows thread-7 --limit 1 --json",
    })
final class WindowsCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description =
          "The maximum number of windows, at most memory.limits.page-size. Default: memory.limits.page-size.")
  private Optional<Integer> limit = Optional.empty();

  WindowsCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  /** The data that distinguishes windows; {@code explain} shows the ledger. */
  private record WindowOutput(
      Id id,
      Instant assembledAt,
      int usedTokens,
      int maxTokens,
      Optional<Instant> expiresAt,
      Optional<Instant> asOf,
      Optional<String> query) {
    static WindowOutput of(Window window) {
      return new WindowOutput(
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
    int most = limit();
    List<WindowOutput> found =
        commandContext
            .askServerOrStore(serverClient -> askServer(serverClient, most), () -> readStore(most))
            .stream()
            .map(WindowOutput::of)
            .toList();
    commandContext.output().printResults(found, () -> print(found, most));
    return ExitCode.OK.number();
  }

  private int limit() {
    int page = commandContext.configs().memory().limits().pageSize();
    int wanted = limit.orElse(page);
    if (wanted < 1 || wanted > page) {
      throw AppException.usage(
          "--limit: expected 1 to %d (memory.limits.page-size), found %d".formatted(page, wanted),
          "Windows are listed newest first.");
    }
    return wanted;
  }

  private List<Window> askServer(ServerClient serverClient, int most) {
    String path = "/trajectories/" + trajectory.resolveId(serverClient);
    Trajectory _ =
        serverClient.get(path, Trajectory.class); // throws if the trajectory does not exist
    int page = Math.min(most, commandContext.configs().server().limits().pageSize());
    return serverClient.list(path + "/windows?limit=" + page, Window.class, most);
  }

  private List<Window> readStore(int most) {
    SpaceId space = commandContext.space();
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, false)) {
      Id wanted = trajectory.resolveId(context, space);
      Trajectory found = context.memory().view(space, view -> view.trajectory(wanted));
      return context.assembler().windows(space, found.id(), most);
    }
  }

  private void print(List<WindowOutput> found, int most) {
    if (found.isEmpty()) {
      commandContext.terminal().printNote("No window of this trajectory is stored.");
      return;
    }
    TextTable table = TextTable.of("WINDOW", "CREATED", "TOKENS", "EXPIRES", "QUERY");
    found.forEach(
        window ->
            table.addRow(
                window.id().toString(),
                Timestamps.format(window.assembledAt()),
                "%,d of %,d".formatted(window.usedTokens(), window.maxTokens()),
                window.expiresAt().map(Timestamps::format).orElse("for good"),
                window.query().map(TextTable::toCell).orElse("")));
    commandContext.output().printTable(table);
    if (found.size() == most) {
      commandContext
          .terminal()
          .printNote("The newest %,d; there may be older ones.".formatted(most));
    }
  }
}
