package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber pack}. */
@Command(
    name = "pack",
    header = "Check, compare and deploy packs.",
    synopsisSubcommandLabel = "COMMAND")
final class PackCommand extends GroupCommand {}
