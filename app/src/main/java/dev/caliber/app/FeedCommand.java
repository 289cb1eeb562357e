package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber feed}. */
@Command(
    name = "feed",
    header = "Read the commits of a space, in order.",
    synopsisSubcommandLabel = "COMMAND")
final class FeedCommand extends GroupCommand {}
