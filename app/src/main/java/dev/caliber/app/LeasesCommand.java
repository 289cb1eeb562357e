package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber leases}. */
@Command(name = "leases", header = "List and revoke leases.", synopsisSubcommandLabel = "COMMAND")
final class LeasesCommand extends GroupCommand {}
