package dev.caliber.memory.context.window;

import dev.caliber.kernel.Id;
import java.util.List;

/**
 * Content of a section in the window.
 *
 * @param tokens tokens of its items; the section's frame counts to the window's frame
 * @param sources in the order in which they are shown
 */
public record SectionContent(
    String name,
    String rule,
    int priority,
    int tokens,
    boolean compressible,
    List<SectionRecord> sources) {
  public SectionContent {
    sources = List.copyOf(sources);
  }

  /** Record in the window; citations use the number. */
  public record SectionRecord(int number, SourceKind kind, Id id, double relevance) {}
}
