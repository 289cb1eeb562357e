package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.memory.pcp.Lineage;
import dev.caliber.memory.record.Provenance;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber lineage}. */
@Command(
    name = "lineage",
    header = "Where an artifact comes from, and what became of it.",
    description =
        "Says how it was found and from which records, whose place it took and what took its place,"
            + " directly or not. 'caliber artifacts' lists the artifacts of a trajectory, 'caliber"
            + " history' shows the same of a note.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber lineage 01JD5T6B9M8Z0V3QK7W2X4Y5RA")
final class LineageCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "ARTIFACT", description = "The id of the artifact.")
  private String artifact = "";

  LineageCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    Id id = OpenContext.artifact(artifact);
    Lineage lineage =
        workbench.ask(
            remote -> remote.get("/artifacts/%s/lineage".formatted(id), Lineage.class),
            () -> read(id));
    workbench.output().result(lineage, () -> print(lineage));
    return ExitCode.OK.number();
  }

  private Lineage read(Id id) {
    try (OpenContext context = OpenContext.of(workbench, false)) {
      return context.guardian().lineage(workbench.space(), id);
    }
  }

  private void print(Lineage lineage) {
    Terminal terminal = workbench.terminal();
    Provenance provenance = lineage.provenance();
    terminal.line(
        "Artifact %s of trajectory %s, scope %s"
            .formatted(lineage.artifact().id(), lineage.trajectory(), lineage.scope()));
    terminal.line(
        "Found: %s%s"
            .formatted(
                FilterOptions.word(provenance.method()),
                provenance.sourceTurn().map(" in turn %d"::formatted).orElse("")));
    terminal.line("Made from: " + ids(provenance.sources()));
    terminal.line("Took the place of: " + ids(lineage.predecessors()));
    terminal.line("Its place was taken by: " + ids(lineage.successors()));
  }

  private static String ids(List<Id> ids) {
    return ids.isEmpty()
        ? "nothing"
        : ids.stream().map(Id::toString).collect(Collectors.joining(", "));
  }
}
