package dev.caliber.memory.spi;

import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Optional;

/**
 * Findings that are worth keeping, in the words of the passages.
 *
 * @param method how they were found, such as {@code model openai:gpt-4o}
 */
public record ExtractionResult(String method, List<ExtractedFinding> findings) {

  /**
   * Finding.
   *
   * @param text words of the passage, verbatim
   * @param about entity that it is about, if the extractor named one
   * @param source the passage
   */
  public record ExtractedFinding(
      FindingKind kind, String text, Optional<String> about, Id source) {}

  public ExtractionResult {
    findings = List.copyOf(findings);
  }

  /** Returns only the findings whose text is in their passage, whatever its line breaks. */
  public ExtractionResult verbatimIn(List<Passage> passages) {
    return new ExtractionResult(
        method,
        findings.stream()
            .filter(
                extractedFinding ->
                    passages.stream()
                        .anyMatch(passage -> containsFinding(passage, extractedFinding)))
            .toList());
  }

  private static boolean containsFinding(Passage passage, ExtractedFinding extractedFinding) {
    return passage.source().equals(extractedFinding.source())
        && !extractedFinding.text().isBlank()
        && collapseWhitespace(passage.text()).contains(collapseWhitespace(extractedFinding.text()));
  }

  private static String collapseWhitespace(String text) {
    return String.join(" ", text.strip().split("\\s+", -1));
  }
}
