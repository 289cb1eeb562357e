package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber checkpoint}. */
@Command(name = "checkpoint", header = "Points that a trajectory can return to.")
final class CheckpointCommand extends GroupCommand {}
