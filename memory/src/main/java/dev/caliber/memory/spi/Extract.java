package dev.caliber.memory.spi;

import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Optional;

/**
 * What somebody found in passages that is worth keeping, in the words of the passages.
 *
 * @param method how it was found, such as {@code model openai:gpt-4o}
 */
public record Extract(String method, List<Found> findings) {

  /**
   * One finding.
   *
   * @param text words of the passage, as they stand there
   * @param about whom or what it says something about, if that was told
   * @param source the passage
   */
  public record Found(FindingKind kind, String text, Optional<String> about, Id source) {}

  public Extract {
    findings = List.copyOf(findings);
  }

  /** Only what stands in its passage, whatever its line breaks. */
  public Extract saidIn(List<Passage> passages) {
    return new Extract(
        method,
        findings.stream()
            .filter(found -> passages.stream().anyMatch(passage -> says(passage, found)))
            .toList());
  }

  private static boolean says(Passage passage, Found found) {
    return passage.source().equals(found.source())
        && !found.text().isBlank()
        && flat(passage.text()).contains(flat(found.text()));
  }

  private static String flat(String text) {
    return String.join(" ", text.strip().split("\\s+", -1));
  }
}
