package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber jobs}. */
@Command(
    name = "jobs",
    header = "List background jobs, and retry dead ones.",
    synopsisSubcommandLabel = "COMMAND")
final class JobsCommand extends GroupCommand {}
