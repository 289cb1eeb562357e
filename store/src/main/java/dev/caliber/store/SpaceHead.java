package dev.caliber.store;

/** End of a space's history: its last sequence, and this host's own count of commits. */
record SpaceHead(long epoch, long sequence, long hostCounter) {

  SpaceHead next() {
    return new SpaceHead(epoch, sequence + 1, hostCounter + 1);
  }
}
