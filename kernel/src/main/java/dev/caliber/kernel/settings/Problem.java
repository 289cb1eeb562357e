package dev.caliber.kernel.settings;

import dev.caliber.kernel.KernelException;

/** One thing that is wrong with a file, and where. */
record Problem(Place place, KernelException error) {}
