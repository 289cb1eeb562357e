package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber index}. */
@Command(
    name = "index",
    header = "See how search indexes stand, and build them anew.",
    synopsisSubcommandLabel = "COMMAND")
final class IndexCommand extends GroupCommand {}
