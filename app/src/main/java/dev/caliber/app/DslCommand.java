package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber dsl}. */
@Command(
    name = "dsl",
    header = "Check, format and deploy sources of the configuration language.",
    synopsisSubcommandLabel = "COMMAND")
final class DslCommand extends GroupCommand {}
