package dev.caliber.kernel.pack;

/** Name and version of the pack. */
public record PackMetadata(String version, String project) {}
