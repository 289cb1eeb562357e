package dev.caliber.store;

/**
 * Listener to the progress of a long maintenance task. It is called often, so it must return at
 * once.
 */
@FunctionalInterface
public interface ProgressListener {

  /** Listener that ignores all progress. */
  ProgressListener NONE = (_, _, _) -> {};

  /** Called with the progress; {@code total} is -1 while it is unknown. */
  void onProgress(String phase, long done, long total);
}
