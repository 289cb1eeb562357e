package dev.caliber.lang.pack.manifest;

import dev.caliber.kernel.Limit;

/** Bounds of a pack, so that no pack can exhaust the composer or the store. */
public final class PackBounds {
  /** Files of a pack. */
  public static final Limit FILES = new Limit("files of a pack", 10_000);

  /** Bytes of all files together. */
  public static final Limit BYTES = new Limit("bytes of a pack", 10 << 20);

  /** Bytes of one file. */
  public static final Limit FILE = new Limit("bytes of a file of a pack", 4 << 20);

  /** Bytes of {@code cal.toml}, of {@code cal.lock} and of a contract. */
  public static final int CONFIGURATION = 1 << 19;

  /** Levels of directories, with the file. */
  public static final int DEPTH = 16;

  /** Characters of a path. */
  public static final int PATH = 512;

  /** Levels of tables and arrays in {@code cal.toml}. */
  static final int NESTING = 32;

  /** The highest token budget that can be written. */
  static final long TOKENS = 100_000_000;

  /** The longest time limit of a tool: a day in milliseconds. */
  static final long TOOL_MILLIS = 86_400_000;

  private PackBounds() {}
}
