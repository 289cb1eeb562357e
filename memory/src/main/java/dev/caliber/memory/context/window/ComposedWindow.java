package dev.caliber.memory.context.window;

import java.util.List;

/**
 * Text of a window, with its ledger.
 *
 * @param frame tokens of the rendered window besides those of its items; negative if joining saved
 *     tokens
 */
public record ComposedWindow(
    String text,
    int usedTokens,
    int frame,
    List<LedgerLine> ledger,
    List<SectionContent> sections) {
  public ComposedWindow {
    ledger = List.copyOf(ledger);
    sections = List.copyOf(sections);
  }
}
