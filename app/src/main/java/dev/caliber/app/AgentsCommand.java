package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber agents}. */
@Command(
    name = "agents",
    header = "See who there is, who holds what, and what is stuck.",
    synopsisSubcommandLabel = "COMMAND")
final class AgentsCommand extends GroupCommand {}
