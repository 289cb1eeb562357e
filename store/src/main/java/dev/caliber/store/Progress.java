package dev.caliber.store;

/** Hears how far a long piece of maintenance is. It is called often, so it must return at once. */
@FunctionalInterface
public interface Progress {

  /** For those who do not want to know. */
  Progress NONE = (_, _, _) -> {};

  /** {@code total} is -1 while it is unknown. */
  void at(String phase, long done, long total);
}
