package dev.caliber.app.pack;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.Terminal;
import dev.caliber.kernel.Json;
import dev.caliber.lang.pack.ComposeResult.ComposeSuccess;
import dev.caliber.lang.pack.manifest.PackSource;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code caliber pack compose}. */
@Command(
    name = "compose",
    header = "Print what a pack is composed into: tree, source text, compiled configuration.",
    description = "The same pack always gives the same bytes.")
final class PackComposeCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(paramLabel = "DIR", description = "The directory of cal.toml.")
  private Path directory = Path.of("");

  @Option(
      names = "--print",
      paramLabel = "PART",
      description = "Only dsl, ast, compiled or ir: one document, without a heading.")
  private Optional<ComposedPart> part = Optional.empty();

  PackComposeCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  /** Documents that a pack is composed into. */
  enum ComposedPart {
    DSL,
    AST,
    COMPILED,
    IR;

    String textIn(ComposeSuccess pack) {
      return switch (this) {
        case DSL -> pack.dslSource().stripTrailing();
        case AST -> pack.astJson();
        case COMPILED -> pack.configJson();
        case IR -> pack.irJson();
      };
    }
  }

  private record ComposedPackOutput(
      String hash, String dslSource, JsonNode ast, JsonNode compiled, JsonNode ir) {
    static ComposedPackOutput of(ComposeSuccess pack) {
      return new ComposedPackOutput(
          pack.hash(),
          pack.dslSource(),
          parseTree(pack.astJson()),
          parseTree(pack.configJson()),
          parseTree(pack.irJson()));
    }

    private static JsonNode parseTree(String json) {
      return Json.read(json, JsonNode.class);
    }
  }

  @Override
  public Integer call() {
    ReportingPackComposer bench = new ReportingPackComposer(commandContext);
    DiagnosticReporter diagnosticReporter = DiagnosticReporter.onStandardError(commandContext);
    PackSource source = bench.readSource(directory);
    bench.composeAndReport(directory, source, diagnosticReporter).ifPresent(this::print);
    return diagnosticReporter.printSummary("").number();
  }

  private void print(ComposeSuccess pack) {
    part.ifPresentOrElse(
        one -> commandContext.terminal().printLine(one.textIn(pack)),
        () ->
            commandContext.output().printResult(ComposedPackOutput.of(pack), () -> printAll(pack)));
  }

  private void printAll(ComposeSuccess pack) {
    Terminal terminal = commandContext.terminal();
    terminal.printLine(terminal.bold("pack " + pack.hash()));
    for (ComposedPart each : ComposedPart.values()) {
      terminal.printLine("");
      terminal.printLine(terminal.bold("-- " + each.name().toLowerCase(java.util.Locale.ROOT)));
      terminal.printLine(each.textIn(pack));
    }
  }
}
