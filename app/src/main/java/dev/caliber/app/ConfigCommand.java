package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber config}. */
@Command(
    name = "config",
    header = "Check or show the configuration, or list its settings.",
    synopsisSubcommandLabel = "COMMAND")
final class ConfigCommand extends CommandGroup {}
