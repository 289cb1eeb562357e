package dev.caliber.app;

import dev.caliber.kernel.Json;
import dev.caliber.lang.pack.PackSchema;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** {@code caliber pack schema}. */
@Command(
    name = "schema",
    header = "Print the JSON Schema of cal.toml, with which editors complete and check it.",
    description =
        "Keep it beside the pack, not in it: everything in its directory is part of a pack."
            + " Editors with Taplo find it by a first line '#:schema ../cal.schema.json' in"
            + " cal.toml.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber pack schema > cal.schema.json")
final class PackSchemaCommand implements Callable<Integer> {
  private final Workbench workbench;

  PackSchemaCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    String schema = PackSchema.json();
    workbench.output().result(Json.read(schema, JsonNode.class), schema.stripTrailing());
    return ExitCode.OK.number();
  }
}
