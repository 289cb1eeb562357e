package dev.caliber.memory.context;

import java.util.List;

/**
 * A window's text and how it came about.
 *
 * @param frame what the rendered whole takes beside its items' tokens; below 0 where joining saved
 *     some
 */
record Composed(
    String text, int usedTokens, int frame, List<LedgerLine> ledger, List<SectionUse> sections) {
  Composed {
    ledger = List.copyOf(ledger);
    sections = List.copyOf(sections);
  }
}
