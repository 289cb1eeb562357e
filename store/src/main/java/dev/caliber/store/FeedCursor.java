package dev.caliber.store;

/**
 * Position in a space's feed: everything up to and including {@code sequence} has been seen. The
 * epoch changes when the space's content is replaced (restore, import); data derived from the feed
 * then has to be rebuilt.
 */
public record FeedCursor(long epoch, long sequence) {

  public FeedCursor {
    if (epoch < 1 || sequence < 0) {
      throw new IllegalArgumentException(
          "This is not a cursor of the change feed: epoch %d, commit %d"
              .formatted(epoch, sequence));
    }
  }
}
