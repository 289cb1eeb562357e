package dev.caliber.memory.deployment;

/** Format of stored packs: parts of 256 KiB, the last one shorter. */
final class PackPartFormat {
  static final int PART_BYTES = 256 << 10;

  private PackPartFormat() {}

  static int partCount(long bytes) {
    return (int) Math.ceilDiv(bytes, (long) PART_BYTES);
  }
}
