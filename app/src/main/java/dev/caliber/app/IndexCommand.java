package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber index}. */
@Command(
    name = "index",
    header = "Show, check and rebuild search indexes.",
    synopsisSubcommandLabel = "COMMAND")
final class IndexCommand extends GroupCommand {}
