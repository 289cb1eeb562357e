package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.context.window.CompositionSettings;
import dev.caliber.memory.context.window.LedgerLine;
import dev.caliber.memory.context.window.SectionContent;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * JSON format of a window. Ledger lines that equal lines of the base ledger, but for their number,
 * are written as runs of the base ({@code from}, {@code count}); a recipe that differs only in its
 * time is written as that time. Records of sections are not written: they are the included lines.
 */
final class LedgerFormatV1 {
  private LedgerFormatV1() {}

  /**
   * JSON document.
   *
   * @param recipe empty when it equals that of the base but for its time
   */
  record LedgerDocument(
      Id id,
      Id trajectory,
      Window.WindowInputs inputs,
      Optional<CompositionSettings> recipe,
      Instant at,
      String inputHash,
      String textHash,
      int usedTokens,
      int frame,
      List<SectionContent> sections,
      List<LedgerDocumentEntry> lines,
      Instant assembledAt,
      Optional<Instant> expiresAt) {}

  /** A line, or a run of lines of the base ledger. */
  record LedgerDocumentEntry(
      Optional<LedgerLine> line, Optional<Integer> from, Optional<Integer> count) {
    static LedgerDocumentEntry of(LedgerLine line) {
      return new LedgerDocumentEntry(Optional.of(line), Optional.empty(), Optional.empty());
    }

    static LedgerDocumentEntry of(int from) {
      return new LedgerDocumentEntry(Optional.empty(), Optional.of(from), Optional.of(1));
    }

    boolean isFollowedBy(int index) {
      return from.isPresent() && from.get() + count.orElse(0) == index;
    }

    LedgerDocumentEntry extended() {
      return new LedgerDocumentEntry(line, from, count.map(old -> old + 1));
    }
  }

  static byte[] write(Window window, Optional<Window> base) {
    Optional<CompositionSettings> recipe =
        base.filter(whole -> whole.recipe().withTime(window.recipe().at()).equals(window.recipe()))
            .<Optional<CompositionSettings>>map(_ -> Optional.empty())
            .orElse(Optional.of(window.recipe()));
    return Json.bytes(
        new LedgerDocument(
            window.id(),
            window.trajectory(),
            window.inputs(),
            recipe,
            window.recipe().at(),
            window.inputHash(),
            window.textHash(),
            window.usedTokens(),
            window.frame(),
            window.sections().stream().map(LedgerFormatV1::withoutRecords).toList(),
            entries(window, base),
            window.assembledAt(),
            window.expiresAt()));
  }

  private static SectionContent withoutRecords(SectionContent use) {
    return new SectionContent(
        use.name(), use.rule(), use.priority(), use.tokens(), use.compressible(), List.of());
  }

  private static List<LedgerDocumentEntry> entries(Window window, Optional<Window> base) {
    Map<LedgerLine, Integer> known = new HashMap<>();
    base.ifPresent(
        whole -> whole.ledger().forEach(line -> known.put(withNumber(line, 0), line.number() - 1)));
    List<LedgerDocumentEntry> entries = new ArrayList<>();
    for (LedgerLine line : window.ledger()) {
      Integer index = known.get(withNumber(line, 0));
      if (index == null) {
        entries.add(LedgerDocumentEntry.of(line));
      } else if (!entries.isEmpty() && entries.getLast().isFollowedBy(index)) {
        entries.add(entries.removeLast().extended());
      } else {
        entries.add(LedgerDocumentEntry.of(index));
      }
    }
    return entries;
  }

  static Window read(byte[] content, Optional<Window> base) {
    LedgerDocument ledgerDocument = Json.read(content, LedgerDocument.class);
    List<LedgerLine> ledger = lines(ledgerDocument, base);
    return new Window(
        ledgerDocument.id(),
        ledgerDocument.trajectory(),
        ledgerDocument.inputs(),
        ledgerDocument
            .recipe()
            .orElseGet(() -> requireBase(base).recipe().withTime(ledgerDocument.at())),
        ledgerDocument.inputHash(),
        ledgerDocument.textHash(),
        ledgerDocument.usedTokens(),
        ledgerDocument.frame(),
        ledgerDocument.sections().stream().map(use -> withRecords(use, ledger)).toList(),
        ledger,
        ledgerDocument.assembledAt(),
        ledgerDocument.expiresAt());
  }

  private static Window requireBase(Optional<Window> base) {
    return base.orElseThrow(
        () ->
            new IllegalArgumentException("The ledger refers to a base ledger that does not exist"));
  }

  private static List<LedgerLine> lines(LedgerDocument ledgerDocument, Optional<Window> base) {
    List<LedgerLine> lines = new ArrayList<>();
    for (LedgerDocumentEntry ledgerDocumentEntry : ledgerDocument.lines()) {
      ledgerDocumentEntry.line().ifPresent(line -> lines.add(withNumber(line, lines.size() + 1)));
      int from = ledgerDocumentEntry.from().orElse(0);
      int count = ledgerDocumentEntry.count().orElse(0);
      for (LedgerLine line :
          count == 0 ? List.<LedgerLine>of() : baseLines(requireBase(base), from, count)) {
        lines.add(withNumber(line, lines.size() + 1));
      }
    }
    return lines;
  }

  private static List<LedgerLine> baseLines(Window whole, int from, int count) {
    if (from < 0 || count < 0 || count > whole.ledger().size() - from) {
      throw new IllegalArgumentException(
          "The ledger refers to lines %d to %d of a base ledger that has %d lines"
              .formatted(from, (long) from + count, whole.ledger().size()));
    }
    return whole.ledger().subList(from, from + count);
  }

  /** Restores the records of a section, in the order in which they are shown. */
  private static SectionContent withRecords(SectionContent use, List<LedgerLine> ledger) {
    List<LedgerLine> in =
        ledger.stream()
            .filter(line -> line.decision().isIncluded())
            .filter(line -> line.candidate().section().equals(use.name()))
            .sorted(lineOrder(ledger, use))
            .toList();
    return new SectionContent(
        use.name(),
        use.rule(),
        use.priority(),
        use.tokens(),
        use.compressible(),
        in.stream().map(LedgerFormatV1::sectionRecord).toList());
  }

  private static Comparator<LedgerLine> lineOrder(List<LedgerLine> ledger, SectionContent use) {
    boolean turns =
        ledger.stream()
            .filter(line -> line.candidate().section().equals(use.name()))
            .anyMatch(line -> line.candidate().kind() == SourceKind.TURN);
    return turns
        ? Comparator.comparing((LedgerLine line) -> line.candidate().time())
            .thenComparingLong(line -> line.candidate().position())
            .thenComparing(line -> line.candidate().id())
        : Comparator.comparingInt(LedgerLine::number);
  }

  private static SectionContent.SectionRecord sectionRecord(LedgerLine line) {
    return new SectionContent.SectionRecord(
        line.number(),
        line.candidate().kind(),
        line.candidate().id(),
        line.candidate().scores().relevance());
  }

  private static LedgerLine withNumber(LedgerLine line, int number) {
    return new LedgerLine(
        number,
        line.candidate(),
        line.fullTokens(),
        line.tokens(),
        line.decision(),
        line.rule(),
        line.reason());
  }
}
