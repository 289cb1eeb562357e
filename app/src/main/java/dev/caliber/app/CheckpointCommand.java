package dev.caliber.app;

import picocli.CommandLine.Command;

/** {@code caliber checkpoint}. */
@Command(name = "checkpoint", header = "Save, list and fork checkpoints of a trajectory.")
final class CheckpointCommand extends GroupCommand {}
