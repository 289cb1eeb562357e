package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber agents}. */
@Command(
    name = "agents",
    header = "Show agents, the leases they hold, and work that is stuck.",
    synopsisSubcommandLabel = "COMMAND")
final class AgentsCommand extends GroupCommand {}
