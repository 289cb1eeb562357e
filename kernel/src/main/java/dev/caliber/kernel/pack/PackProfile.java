package dev.caliber.kernel.pack;

/** Name for an allowed state of the settings. */
public record PackProfile(String name, ProfileSettings knobs) {}
