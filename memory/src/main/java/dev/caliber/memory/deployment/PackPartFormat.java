package dev.caliber.memory.deployment;

/** How packs are cut: into parts of 256 KiB, the last one shorter. */
final class PackPartFormat {
  static final int PART_BYTES = 256 << 10;

  private PackPartFormat() {}

  static int parts(long bytes) {
    return (int) Math.ceilDiv(bytes, (long) PART_BYTES);
  }
}
