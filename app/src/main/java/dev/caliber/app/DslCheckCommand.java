package dev.caliber.app;

import dev.caliber.kernel.CaliberException;
import dev.caliber.lang.CompileResult;
import dev.caliber.lang.Compiler;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.memory.record.RecordKinds;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber dsl check}. */
@Command(
    name = "check",
    header = "Report all that is wrong with sources of the configuration language.",
    description = "Exit code 1 if there is an error; warnings alone leave it 0.")
final class DslCheckCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "'-' is the standard input.")
  private List<String> files = List.of();

  DslCheckCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() throws IOException {
    Compiler compiler = Compiler.create(RecordKinds.catalogue());
    Findings findings = new Findings(workbench.output());
    for (String argument : files) {
      try {
        SourceFile file = SourceFile.read(workbench, argument);
        findings.add(file, diagnostics(compiler.compile(file.name(), file.text())));
      } catch (CaliberException e) {
        findings.add(e, files.size());
      }
    }
    return findings
        .conclude(Findings.counted(files.size(), "source") + ": nothing is wrong")
        .number();
  }

  private static List<Diagnostic> diagnostics(CompileResult result) {
    return switch (result) {
      case CompileResult.Compiled compiled -> compiled.warnings();
      case CompileResult.Rejected rejected -> rejected.diagnostics();
    };
  }
}
