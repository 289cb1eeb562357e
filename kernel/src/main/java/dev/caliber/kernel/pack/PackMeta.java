package dev.caliber.kernel.pack;

/** What the pack is called, and which version of it this is. */
public record PackMeta(String version, String project) {}
