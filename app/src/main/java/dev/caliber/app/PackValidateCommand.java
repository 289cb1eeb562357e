package dev.caliber.app;

import dev.caliber.kernel.CaliberException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber pack validate}. */
@Command(
    name = "validate",
    header = "Report all that is wrong with packs.",
    description =
        "Checks cal.lock, too, if there is one. Exit code 1 if there is an error; warnings alone"
            + " leave it 0. Nothing is executed, and no secret is read.")
final class PackValidateCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(arity = "1..*", paramLabel = "DIR", description = "Where cal.toml is.")
  private List<Path> directories = List.of();

  PackValidateCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    PackBench bench = new PackBench(workbench);
    Findings findings = new Findings(workbench.output());
    for (Path directory : directories) {
      try {
        bench.composed(directory, bench.read(directory), findings);
      } catch (CaliberException e) {
        findings.add(e, directories.size());
      }
    }
    return findings
        .conclude(Findings.counted(directories.size(), "pack") + ": nothing is wrong")
        .number();
  }
}
