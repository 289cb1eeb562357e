package dev.caliber.app;

import dev.caliber.kernel.Json;
import dev.caliber.lang.pack.PackSchema;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** {@code caliber pack schema}. */
@Command(
    name = "schema",
    header = "Print the JSON Schema of cal.toml, for completion and checks in editors.",
    description =
        "Keep it beside the pack, not in it: everything in its directory is part of a pack. Editors"
            + " with Taplo find it by a first line '#:schema ../cal.schema.json' in cal.toml.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber pack schema > cal.schema.json")
final class PackSchemaCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  PackSchemaCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    String schema = PackSchema.json();
    commandContext.output().printResult(Json.read(schema, JsonNode.class), schema.stripTrailing());
    return ExitCode.OK.number();
  }
}
