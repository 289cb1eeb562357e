package dev.caliber.app.serve;

import dev.caliber.app.shell.CommandGroup;
import picocli.CommandLine.Command;

/** {@code caliber config}. */
@Command(
    name = "config",
    header = "Check or show the configuration, or list its settings.",
    synopsisSubcommandLabel = "COMMAND")
public final class ConfigCommand extends CommandGroup {}
