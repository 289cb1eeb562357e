package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber messages}. */
@Command(
    name = "messages",
    header = "List messages between agents, and requeue dead letters.",
    synopsisSubcommandLabel = "COMMAND")
final class MessagesCommand extends GroupCommand {}
