package dev.caliber.lang.pack;

import dev.caliber.kernel.config.Catalogue;
import dev.caliber.lang.pack.manifest.PackSource;

/**
 * Composes packs. It executes nothing, resolves no variable of the environment and throws nothing:
 * for any files, the result is everything or a list of diagnostics. Safe for many threads.
 */
public interface PackComposer {
  static PackComposer create(Catalogue catalogue) {
    return new MultiPassComposer(catalogue);
  }

  /** Composes a pack; also checks {@code cal.lock}, if the pack has one. */
  ComposeResult compose(PackSource source);
}
