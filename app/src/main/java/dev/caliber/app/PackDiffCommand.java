package dev.caliber.app;

import dev.caliber.lang.pack.ComposeResult.Composed;
import dev.caliber.lang.pack.PackDiff;
import dev.caliber.lang.pack.PackDiff.Change;
import dev.caliber.lang.pack.PackSource;
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
        "With one directory: between the version that the space runs on and that pack. cal.lock"
            + " does not count.")
final class PackDiffCommand implements Callable<Integer> {
  private static final int VALUE_WIDTH = 60;
  private static final int CONTEXT = 12;
  private static final String CUT = "…";
  private static final String NOTHING = "-";

  private final Workbench workbench;

  @Parameters(
      index = "0..1",
      arity = "1..2",
      paramLabel = "DIR",
      description = "The pack, or the one before and the one after.")
  private List<Path> directories = List.of();

  @Option(
      names = "--check",
      description = "End with 1 if permissions or budgets change, for scripts.")
  private boolean check;

  PackDiffCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Changed(
      String area,
      boolean sensitive,
      String subject,
      String what,
      Optional<String> before,
      Optional<String> after) {
    static Changed of(Change change) {
      return new Changed(
          change.area().name().toLowerCase(Locale.ROOT),
          change.area().isSensitive(),
          change.subject(),
          change.what(),
          change.before(),
          change.after());
    }
  }

  @Override
  public Integer call() {
    PackBench bench = new PackBench(workbench);
    Findings findings = Findings.beside(workbench);
    Path old = directories.getFirst();
    Path fresh = directories.getLast();
    boolean deployed = directories.size() == 1;
    Optional<Composed> before =
        deployed
            ? bench.composed(Path.of(""), active(), findings)
            : bench.composed(old, bench.read(old).withoutLock(), findings);
    Optional<Composed> after = bench.composed(fresh, bench.read(fresh).withoutLock(), findings);
    if (before.isEmpty() || after.isEmpty()) {
      return findings.conclude("").number();
    }
    List<Changed> changes =
        PackDiff.of(before.get(), after.get()).changes().stream().map(Changed::of).toList();
    workbench.output().results(changes, () -> print(changes));
    boolean refused = check && changes.stream().anyMatch(Changed::sensitive);
    return (refused ? ExitCode.FAILED : ExitCode.OK).number();
  }

  /** The files of what the space runs on. */
  private PackSource active() {
    try (OpenStore store = workbench.open()) {
      Deployments deployments = Deployments.of(store.records());
      return deployments
          .active(workbench.space())
          .flatMap(config -> deployments.pack(workbench.space(), config))
          .map(pack -> PackSource.of(pack.files()).withoutLock())
          .orElseThrow(() -> AppException.noActivePack(workbench.space()));
    }
  }

  private void print(List<Changed> changes) {
    print("Permissions and budgets", changes.stream().filter(Changed::sensitive).toList());
    print("Everything else", changes.stream().filter(one -> !one.sensitive()).toList());
  }

  private void print(String title, List<Changed> changes) {
    Terminal terminal = workbench.terminal();
    terminal.line(terminal.bold(title + ": " + Findings.counted(changes.size(), "change")));
    if (changes.isEmpty()) {
      return;
    }
    TextTable table = TextTable.of("  AREA", "SUBJECT", "WHAT", "BEFORE", "AFTER");
    for (Changed change : changes) {
      table.row(
          "  " + change.area(),
          change.subject(),
          change.what(),
          shown(change.before(), change.after()),
          shown(change.after(), change.before()));
    }
    table.print(terminal);
  }

  /** On one line, from a little before the first difference on, and not too long. */
  private static String shown(Optional<String> value, Optional<String> other) {
    String line = line(value);
    int same = commonLength(line, line(other));
    boolean isLong = line.codePointCount(0, line.length()) > VALUE_WIDTH;
    int context = Math.min(CONTEXT, line.codePointCount(0, same));
    int from = isLong ? line.offsetByCodePoints(same, -context) : 0;
    return (from > 0 ? CUT : "") + start(line.substring(from));
  }

  /** Nothing that a terminal would obey. */
  private static String line(Optional<String> value) {
    return value.orElse(NOTHING).replaceAll("\\p{Cntrl}+", " ");
  }

  private static String start(String text) {
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
