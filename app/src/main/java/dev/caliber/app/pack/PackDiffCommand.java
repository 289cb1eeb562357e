package dev.caliber.app.pack;

import dev.caliber.app.shell.AppException;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.OpenStore;
import dev.caliber.app.shell.Terminal;
import dev.caliber.app.shell.TextTable;
import dev.caliber.lang.pack.ComposeResult.ComposeSuccess;
import dev.caliber.lang.pack.PackDiff;
import dev.caliber.lang.pack.PackDiff.PackChange;
import dev.caliber.lang.pack.manifest.PackSource;
import dev.caliber.memory.deployment.Deployments;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber pack diff}. */
@Command(
    name = "diff",
    header = "Show what changes between two packs, permissions and budgets first.",
    description =
        "With one directory: compares the active version of the space with that pack. cal.lock is"
            + " ignored.")
final class PackDiffCommand implements Callable<Integer> {
  private static final int VALUE_WIDTH = 60;
  private static final int CONTEXT = 12;
  private static final String CUT = "…";
  private static final String NOTHING = "-";

  private final CommandContext commandContext;

  @Parameters(
      index = "0..1",
      arity = "1..2",
      paramLabel = "DIR",
      description = "The pack, or the old pack and the new one.")
  private List<Path> directories = List.of();

  @Option(
      names = "--check",
      description = "Exit code 1 if permissions or budgets change, for scripts.")
  private boolean check;

  PackDiffCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record PackChangeOutput(
      String area,
      boolean sensitive,
      String subject,
      String setting,
      Optional<String> before,
      Optional<String> after) {
    static PackChangeOutput of(PackChange packChange) {
      return new PackChangeOutput(
          packChange.area().name().toLowerCase(Locale.ROOT),
          packChange.area().isSensitive(),
          packChange.subject(),
          packChange.what(),
          packChange.before(),
          packChange.after());
    }
  }

  @Override
  public Integer call() {
    ReportingPackComposer bench = new ReportingPackComposer(commandContext);
    DiagnosticReporter diagnosticReporter = DiagnosticReporter.onStandardError(commandContext);
    Path old = directories.getFirst();
    Path fresh = directories.getLast();
    boolean deployed = directories.size() == 1;
    Optional<ComposeSuccess> before =
        deployed
            ? bench.composeAndReport(Path.of(""), activePack(), diagnosticReporter)
            : bench.composeAndReport(old, bench.readSource(old).withoutLock(), diagnosticReporter);
    Optional<ComposeSuccess> after =
        bench.composeAndReport(fresh, bench.readSource(fresh).withoutLock(), diagnosticReporter);
    if (before.isEmpty() || after.isEmpty()) {
      return diagnosticReporter.printSummary("").number();
    }
    List<PackChangeOutput> changes =
        PackDiff.of(before.get(), after.get()).changes().stream()
            .map(PackChangeOutput::of)
            .toList();
    commandContext.output().printResults(changes, () -> print(changes));
    boolean refused = check && changes.stream().anyMatch(PackChangeOutput::sensitive);
    return (refused ? ExitCode.FAILED : ExitCode.OK).number();
  }

  /** Returns the files of the space's active version. */
  private PackSource activePack() {
    try (OpenStore store = commandContext.open()) {
      Deployments deployments = Deployments.of(store.records());
      return deployments
          .activeVersion(commandContext.space())
          .flatMap(config -> deployments.pack(commandContext.space(), config))
          .map(pack -> PackSource.of(pack.files()).withoutLock())
          .orElseThrow(() -> AppException.noActivePack(commandContext.space()));
    }
  }

  private void print(List<PackChangeOutput> changes) {
    print("Permissions and budgets", changes.stream().filter(PackChangeOutput::sensitive).toList());
    print("Everything else", changes.stream().filter(one -> !one.sensitive()).toList());
  }

  private void print(String title, List<PackChangeOutput> changes) {
    Terminal terminal = commandContext.terminal();
    terminal.printLine(
        terminal.bold(title + ": " + DiagnosticReporter.countText(changes.size(), "change")));
    if (changes.isEmpty()) {
      return;
    }
    TextTable table = TextTable.of("  AREA", "SUBJECT", "WHAT", "BEFORE", "AFTER");
    for (PackChangeOutput change : changes) {
      table.addRow(
          "  " + change.area(),
          change.subject(),
          change.setting(),
          excerpt(change.before(), change.after()),
          excerpt(change.after(), change.before()));
    }
    table.print(terminal);
  }

  /** Returns one line of limited length, from a little before the first difference on. */
  private static String excerpt(Optional<String> value, Optional<String> other) {
    String line = singleLine(value);
    int same = commonLength(line, singleLine(other));
    boolean isLong = line.codePointCount(0, line.length()) > VALUE_WIDTH;
    int context = Math.min(CONTEXT, line.codePointCount(0, same));
    int from = isLong ? line.offsetByCodePoints(same, -context) : 0;
    return (from > 0 ? CUT : "") + truncate(line.substring(from));
  }

  /** Returns the value on one line, without control characters of terminals. */
  private static String singleLine(Optional<String> value) {
    return value.orElse(NOTHING).replaceAll("\\p{Cntrl}+", " ");
  }

  private static String truncate(String text) {
    return text.codePointCount(0, text.length()) <= VALUE_WIDTH
        ? text
        : text.substring(0, text.offsetByCodePoints(0, VALUE_WIDTH)) + CUT;
  }

  private static int commonLength(String one, String other) {
    int length = 0;
    int most = Math.min(one.length(), other.length());
    while (length < most && one.codePointAt(length) == other.codePointAt(length)) {
      length += Character.charCount(one.codePointAt(length));
    }
    return Math.min(length, most);
  }
}
