package dev.caliber.app;

import dev.caliber.kernel.Json;
import dev.caliber.lang.pack.ComposeResult.Composed;
import dev.caliber.lang.pack.PackSource;
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
    header = "Print what a pack becomes: tree, text of the language, compiled configuration.",
    description = "The same pack always gives the same bytes.")
final class PackComposeCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "DIR", description = "Where cal.toml is.")
  private Path directory = Path.of("");

  @Option(
      names = "--print",
      paramLabel = "PART",
      description = "Only dsl, ast, compiled or ir: one document, without a heading.")
  private Optional<Part> part = Optional.empty();

  PackComposeCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  /** What a pack is composed into. */
  enum Part {
    DSL,
    AST,
    COMPILED,
    IR;

    String of(Composed pack) {
      return switch (this) {
        case DSL -> pack.dslSource().stripTrailing();
        case AST -> pack.astJson();
        case COMPILED -> pack.configJson();
        case IR -> pack.irJson();
      };
    }
  }

  private record Whole(
      String hash, String dslSource, JsonNode ast, JsonNode compiled, JsonNode ir) {
    static Whole of(Composed pack) {
      return new Whole(
          pack.hash(),
          pack.dslSource(),
          tree(pack.astJson()),
          tree(pack.configJson()),
          tree(pack.irJson()));
    }

    private static JsonNode tree(String json) {
      return Json.read(json, JsonNode.class);
    }
  }

  @Override
  public Integer call() {
    PackBench bench = new PackBench(workbench);
    Findings findings = Findings.beside(workbench);
    PackSource source = bench.read(directory);
    bench.composed(directory, source, findings).ifPresent(this::print);
    return findings.conclude("").number();
  }

  private void print(Composed pack) {
    part.ifPresentOrElse(
        one -> workbench.terminal().line(one.of(pack)),
        () -> workbench.output().result(Whole.of(pack), () -> printAll(pack)));
  }

  private void printAll(Composed pack) {
    Terminal terminal = workbench.terminal();
    terminal.line(terminal.bold("pack " + pack.hash()));
    for (Part each : Part.values()) {
      terminal.line("");
      terminal.line(terminal.bold("-- " + each.name().toLowerCase(java.util.Locale.ROOT)));
      terminal.line(each.of(pack));
    }
  }
}
