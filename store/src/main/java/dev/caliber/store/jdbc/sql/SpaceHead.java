package dev.caliber.store.jdbc.sql;

/** End of a space's history: its last sequence, and this host's own count of commits. */
public record SpaceHead(long epoch, long sequence, long hostCounter) {

  public SpaceHead next() {
    return new SpaceHead(epoch, sequence + 1, hostCounter + 1);
  }
}
