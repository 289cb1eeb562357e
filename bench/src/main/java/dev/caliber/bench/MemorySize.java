package dev.caliber.bench;

/** How much a memory holds. */
record MemorySize(int turns, int trajectories) {

  /** What is compared with this: a hundredth of the trajectories, as long as these. */
  MemorySize start() {
    int fewer = Math.max(1, trajectories / 100);
    return new MemorySize(Math.max(1, (int) ((long) turns * fewer / trajectories)), fewer);
  }
}
