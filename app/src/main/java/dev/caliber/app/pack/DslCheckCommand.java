package dev.caliber.app.pack;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.SourceFile;
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
    header = "Report all errors in sources of the configuration language.",
    description = "Exit code 1 if there is an error; warnings alone leave it 0.")
final class DslCheckCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "'-' is the standard input.")
  private List<String> files = List.of();

  DslCheckCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() throws IOException {
    Compiler compiler = Compiler.create(RecordKinds.catalogue());
    DiagnosticReporter diagnosticReporter = new DiagnosticReporter(commandContext.output());
    for (String argument : files) {
      try {
        SourceFile file = SourceFile.read(commandContext, argument);
        diagnosticReporter.addDiagnostics(
            file, diagnostics(compiler.compile(file.name(), file.text())));
      } catch (CaliberException e) {
        diagnosticReporter.addUnreadable(e, files.size());
      }
    }
    return diagnosticReporter
        .printSummary(DiagnosticReporter.countText(files.size(), "source") + ": no errors")
        .number();
  }

  private static List<Diagnostic> diagnostics(CompileResult result) {
    return switch (result) {
      case CompileResult.CompileSuccess compileSuccess -> compileSuccess.warnings();
      case CompileResult.CompileFailure compileFailure -> compileFailure.diagnostics();
    };
  }
}
