package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.memory.pcp.ArtifactLineage;
import dev.caliber.memory.record.Provenance;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber lineage}. */
@Command(
    name = "lineage",
    header = "Show the origin of an artifact, and what superseded it.",
    description =
        "Shows how it was found and from which records, what it supersedes and what superseded it,"
            + " directly or not. 'caliber artifacts' lists the artifacts of a trajectory, 'caliber"
            + " history' shows the versions of a note.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber lineage 01JD5T6B9M8Z0V3QK7W2X4Y5RA")
final class LineageCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(paramLabel = "ARTIFACT", description = "The id of the artifact.")
  private String artifact = "";

  LineageCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    Id id = OpenMemoryServices.parseArtifactId(artifact);
    ArtifactLineage artifactLineage =
        commandContext.askServerOrStore(
            serverClient ->
                serverClient.get("/artifacts/%s/lineage".formatted(id), ArtifactLineage.class),
            () -> read(id));
    commandContext.output().printResult(artifactLineage, () -> print(artifactLineage));
    return ExitCode.OK.number();
  }

  private ArtifactLineage read(Id id) {
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, false)) {
      return context.guardian().lineage(commandContext.space(), id);
    }
  }

  private void print(ArtifactLineage artifactLineage) {
    Terminal terminal = commandContext.terminal();
    Provenance provenance = artifactLineage.provenance();
    terminal.printLine(
        "Artifact %s of trajectory %s, scope %s"
            .formatted(
                artifactLineage.artifact().id(),
                artifactLineage.trajectory(),
                artifactLineage.scope()));
    terminal.printLine(
        "Found: %s%s"
            .formatted(
                FilterOptions.lowerCaseName(provenance.method()),
                provenance.sourceTurn().map(" in turn %d"::formatted).orElse("")));
    terminal.printLine("Made from: " + joinIds(provenance.sources()));
    terminal.printLine("Supersedes: " + joinIds(artifactLineage.predecessors()));
    terminal.printLine("Superseded by: " + joinIds(artifactLineage.successors()));
  }

  private static String joinIds(List<Id> ids) {
    return ids.isEmpty()
        ? "nothing"
        : ids.stream().map(Id::toString).collect(Collectors.joining(", "));
  }
}
