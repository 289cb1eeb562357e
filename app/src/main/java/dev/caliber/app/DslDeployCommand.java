package dev.caliber.app;

import dev.caliber.lang.CompileResult;
import dev.caliber.lang.Compiler;
import dev.caliber.lang.syntax.AstJson;
import dev.caliber.memory.deployment.DeployConfig;
import dev.caliber.memory.record.RecordKinds;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber dsl deploy}. */
@Command(
    name = "deploy",
    header = "Store a source as a new version in a space, and let the space run on it.",
    description =
        "As 'caliber pack deploy' does with packs; 'caliber pack list', 'activate' and 'rollback'"
            + " know both. A source that is there already makes no new version.")
final class DslDeployCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "FILE", description = "'-' is the standard input.")
  private String file = "";

  @Option(
      names = "--name",
      paramLabel = "NAME",
      required = true,
      description = "What its versions are counted under.")
  private String name = "";

  @Mixin private DeployOptions options = new DeployOptions();

  DslDeployCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() throws IOException {
    Findings findings = Findings.beside(workbench);
    SourceFile source = SourceFile.read(workbench, file);
    switch (Compiler.create(RecordKinds.catalogue()).compile(source.name(), source.text())) {
      case CompileResult.Rejected rejected -> findings.add(source, rejected.diagnostics());
      case CompileResult.Compiled compiled -> {
        findings.add(source, compiled.warnings());
        options.deploy(
            workbench, wish(source, compiled), Remote.input().put("source", source.text()));
      }
    }
    return findings.conclude("").number();
  }

  private DeployConfig wish(SourceFile source, CompileResult.Compiled compiled) {
    return new DeployConfig(
        name,
        source.text(),
        AstJson.text(compiled.ast()),
        compiled.config(),
        Optional.empty(),
        options.stamp(workbench));
  }
}
