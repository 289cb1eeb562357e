package dev.caliber.bench.memory;

/** The content of a memory, in turns and trajectories. */
public record MemorySize(int turns, int trajectories) {

  /** Returns the size to compare with: a hundredth of the trajectories, of the same length. */
  MemorySize startSize() {
    int fewer = Math.max(1, trajectories / 100);
    return new MemorySize(Math.max(1, (int) ((long) turns * fewer / trajectories)), fewer);
  }
}
