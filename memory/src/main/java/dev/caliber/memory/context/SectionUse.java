package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import java.util.List;

/**
 * What of a section is in the window.
 *
 * @param tokens of its items; what stands around them is in the window's frame
 * @param sources in the order in which they are shown
 */
public record SectionUse(
    String name,
    String rule,
    int priority,
    int tokens,
    boolean compressible,
    List<Source> sources) {
  public SectionUse {
    sources = List.copyOf(sources);
  }

  /** One record in the window; the number is what citations say. */
  public record Source(int number, SourceKind kind, Id id, double relevance) {}
}
