package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber spaces}. */
@Command(
    name = "spaces",
    header = "List and create spaces, one for each application or team.",
    synopsisSubcommandLabel = "COMMAND")
final class SpacesCommand extends GroupCommand {}
