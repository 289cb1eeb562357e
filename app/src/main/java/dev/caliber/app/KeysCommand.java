package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber keys}. */
@Command(
    name = "keys",
    header = "Create, list and revoke the API keys of a server.",
    synopsisSubcommandLabel = "COMMAND")
final class KeysCommand extends GroupCommand {}
