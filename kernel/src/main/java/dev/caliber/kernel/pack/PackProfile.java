package dev.caliber.kernel.pack;

/** A name for an allowed state of the settings. */
public record PackProfile(String name, Knobs knobs) {}
