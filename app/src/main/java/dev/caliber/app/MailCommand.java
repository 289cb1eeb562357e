package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber mail}. */
@Command(
    name = "mail",
    header = "See what agents tell each other, and revive dead letters.",
    synopsisSubcommandLabel = "COMMAND")
final class MailCommand extends GroupCommand {}
