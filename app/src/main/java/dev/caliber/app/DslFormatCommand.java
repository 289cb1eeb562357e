package dev.caliber.app;

import dev.caliber.kernel.CaliberException;
import dev.caliber.lang.Formatter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber dsl fmt}. */
@Command(
    name = "fmt",
    header = "Write sources of the configuration language in their canonical form.",
    description =
        "A file is replaced in one step, or not at all when its grammar is wrong. '-' reads the"
            + " standard input and prints the result. Order and comments stay.")
final class DslFormatCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "'-' is the standard input.")
  private List<String> files = List.of();

  @Option(
      names = "--check",
      description = "Change nothing; name what would change, and end with 1 if something would.")
  private boolean check;

  DslFormatCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Outcome(String file, boolean changed) {}

  @Override
  public Integer call() throws IOException {
    boolean prints = files.contains(SourceFile.STANDARD_INPUT);
    Findings findings = prints ? Findings.beside(workbench) : new Findings(workbench.output());
    Map<SourceFile, String> canonical = new LinkedHashMap<>();
    files.forEach(argument -> read(argument, canonical, findings));
    int changed = 0;
    for (var each : canonical.entrySet()) {
      changed += apply(each.getKey(), each.getValue()) ? 1 : 0;
    }
    ExitCode code = findings.conclude(summary(changed));
    return (check && changed > 0 ? ExitCode.FAILED : code).number();
  }

  /** All are read before one is written. */
  private void read(String argument, Map<SourceFile, String> canonical, Findings findings) {
    try {
      SourceFile file = SourceFile.read(workbench, argument);
      switch (Formatter.format(file.name(), file.text())) {
        case Formatter.Refused refused -> findings.add(file, refused.diagnostics());
        case Formatter.Formatted formatted -> canonical.put(file, formatted.source());
      }
    } catch (CaliberException e) {
      findings.add(e, files.size());
    } catch (IOException e) {
      findings.add(AppException.of(e), files.size());
    }
  }

  /** Writes the canonical form where it belongs; whether it differs from what was there. */
  private boolean apply(SourceFile file, String canonical) throws IOException {
    boolean differs = !file.text().equals(canonical);
    if (file.isStandardInput() && !check) {
      workbench.terminal().out().print(canonical);
      return differs;
    }
    if (differs && !check) {
      NewFile.replace(workbench.resolve(Path.of(file.name())), canonical);
    }
    report(file, differs);
    return differs;
  }

  private void report(SourceFile file, boolean differs) {
    workbench
        .output()
        .result(
            new Outcome(file.name(), differs),
            () -> {
              if (differs) {
                workbench.terminal().line(file.name());
              }
            });
  }

  private String summary(int changed) {
    return "%s, %d %s"
        .formatted(
            Findings.counted(files.size(), "source"),
            changed,
            check ? "not in canonical form" : "changed");
  }
}
