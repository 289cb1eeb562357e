package dev.caliber.app.pack;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.OperationInput;
import dev.caliber.app.shell.SourceFile;
import dev.caliber.lang.CompileResult;
import dev.caliber.lang.Compiler;
import dev.caliber.memory.record.RecordKinds;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber dsl deploy}. */
@Command(
    name = "deploy",
    header = "Store a source as a new version in a space, and activate it.",
    description =
        "Works like 'caliber pack deploy'; 'caliber pack list', 'activate' and 'rollback' handle"
            + " both. An unchanged source makes no new version.")
final class DslDeployCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(paramLabel = "FILE", description = "'-' is the standard input.")
  private String file = "";

  @Option(
      names = "--name",
      paramLabel = "NAME",
      required = true,
      description = "The name that its versions are counted under.")
  private String name = "";

  @Mixin private DeployOptions options = new DeployOptions();

  DslDeployCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() throws IOException {
    DiagnosticReporter diagnosticReporter = DiagnosticReporter.onStandardError(commandContext);
    SourceFile source = SourceFile.read(commandContext, file);
    switch (Compiler.create(RecordKinds.catalogue()).compile(source.name(), source.text())) {
      case CompileResult.CompileFailure compileFailure ->
          diagnosticReporter.addDiagnostics(source, compileFailure.diagnostics());
      case CompileResult.CompileSuccess compileSuccess -> {
        diagnosticReporter.addDiagnostics(source, compileSuccess.warnings());
        options.deploy(
            commandContext, OperationInput.of("name", name).with("source", source.text()));
      }
    }
    return diagnosticReporter.printSummary("").number();
  }
}
