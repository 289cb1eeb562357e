package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber jobs}. */
@Command(
    name = "jobs",
    header = "See work that waits, and revive what was given up.",
    synopsisSubcommandLabel = "COMMAND")
final class JobsCommand extends GroupCommand {}
