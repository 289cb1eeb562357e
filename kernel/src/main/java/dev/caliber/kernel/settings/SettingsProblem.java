package dev.caliber.kernel.settings;

import dev.caliber.kernel.KernelException;

/** Error in a file, with its position. */
record SettingsProblem(FilePosition position, KernelException error) {}
