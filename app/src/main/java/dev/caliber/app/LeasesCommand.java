package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber leases}. */
@Command(
    name = "leases",
    header = "See who holds what, and take a lease away.",
    synopsisSubcommandLabel = "COMMAND")
final class LeasesCommand extends GroupCommand {}
