package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.context.LedgerLine;
import dev.caliber.memory.context.Recipe;
import dev.caliber.memory.context.SectionUse;
import dev.caliber.memory.context.SourceKind;
import dev.caliber.memory.context.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A window as JSON. Lines of the ledger that the whole ledger before has as well, but for their
 * number, are runs of that one ({@code from}, {@code count}); a recipe that differs in its time
 * alone is that time. Sources of sections are not written: they are the lines that are in.
 */
final class LedgerFormatV1 {
  private LedgerFormatV1() {}

  /**
   * The document.
   *
   * @param recipe empty when it is that of the whole one, at another time
   */
  record Document(
      Id id,
      Id trajectory,
      Window.Inputs inputs,
      Optional<Recipe> recipe,
      Instant at,
      String inputHash,
      String textHash,
      int usedTokens,
      int frame,
      List<SectionUse> sections,
      List<Entry> lines,
      Instant assembledAt,
      Optional<Instant> expiresAt) {}

  /** A line, or some of the whole ledger's lines. */
  record Entry(Optional<LedgerLine> line, Optional<Integer> from, Optional<Integer> count) {
    static Entry of(LedgerLine line) {
      return new Entry(Optional.of(line), Optional.empty(), Optional.empty());
    }

    static Entry of(int from) {
      return new Entry(Optional.empty(), Optional.of(from), Optional.of(1));
    }

    boolean isFollowedBy(int index) {
      return from.isPresent() && from.get() + count.orElse(0) == index;
    }

    Entry longer() {
      return new Entry(line, from, count.map(old -> old + 1));
    }
  }

  static byte[] write(Window window, Optional<Window> base) {
    Optional<Recipe> recipe =
        base.filter(whole -> whole.recipe().at(window.recipe().at()).equals(window.recipe()))
            .<Optional<Recipe>>map(_ -> Optional.empty())
            .orElse(Optional.of(window.recipe()));
    return Json.bytes(
        new Document(
            window.id(),
            window.trajectory(),
            window.inputs(),
            recipe,
            window.recipe().at(),
            window.inputHash(),
            window.textHash(),
            window.usedTokens(),
            window.frame(),
            window.sections().stream().map(LedgerFormatV1::bare).toList(),
            entries(window, base),
            window.assembledAt(),
            window.expiresAt()));
  }

  private static SectionUse bare(SectionUse use) {
    return new SectionUse(
        use.name(), use.rule(), use.priority(), use.tokens(), use.compressible(), List.of());
  }

  private static List<Entry> entries(Window window, Optional<Window> base) {
    Map<LedgerLine, Integer> known = new HashMap<>();
    base.ifPresent(
        whole -> whole.ledger().forEach(line -> known.put(at(line, 0), line.number() - 1)));
    List<Entry> entries = new ArrayList<>();
    for (LedgerLine line : window.ledger()) {
      Integer index = known.get(at(line, 0));
      if (index == null) {
        entries.add(Entry.of(line));
      } else if (!entries.isEmpty() && entries.getLast().isFollowedBy(index)) {
        entries.add(entries.removeLast().longer());
      } else {
        entries.add(Entry.of(index));
      }
    }
    return entries;
  }

  static Window read(byte[] content, Optional<Window> base) {
    Document document = Json.read(content, Document.class);
    List<LedgerLine> ledger = lines(document, base);
    return new Window(
        document.id(),
        document.trajectory(),
        document.inputs(),
        document.recipe().orElseGet(() -> whole(base).recipe().at(document.at())),
        document.inputHash(),
        document.textHash(),
        document.usedTokens(),
        document.frame(),
        document.sections().stream().map(use -> filled(use, ledger)).toList(),
        ledger,
        document.assembledAt(),
        document.expiresAt());
  }

  private static Window whole(Optional<Window> base) {
    return base.orElseThrow(() -> new IllegalArgumentException("Wanted the whole ledger"));
  }

  private static List<LedgerLine> lines(Document document, Optional<Window> base) {
    List<LedgerLine> lines = new ArrayList<>();
    for (Entry entry : document.lines()) {
      entry.line().ifPresent(line -> lines.add(at(line, lines.size() + 1)));
      int from = entry.from().orElse(0);
      int count = entry.count().orElse(0);
      for (LedgerLine line : count == 0 ? List.<LedgerLine>of() : run(whole(base), from, count)) {
        lines.add(at(line, lines.size() + 1));
      }
    }
    return lines;
  }

  private static List<LedgerLine> run(Window whole, int from, int count) {
    if (from < 0 || count < 0 || count > whole.ledger().size() - from) {
      throw new IllegalArgumentException("Wanted lines that the whole ledger has");
    }
    return whole.ledger().subList(from, from + count);
  }

  /** Its sources, in the order in which they are shown. */
  private static SectionUse filled(SectionUse use, List<LedgerLine> ledger) {
    List<LedgerLine> in =
        ledger.stream()
            .filter(line -> line.decision().isIn())
            .filter(line -> line.candidate().section().equals(use.name()))
            .sorted(order(ledger, use))
            .toList();
    return new SectionUse(
        use.name(),
        use.rule(),
        use.priority(),
        use.tokens(),
        use.compressible(),
        in.stream().map(LedgerFormatV1::source).toList());
  }

  private static Comparator<LedgerLine> order(List<LedgerLine> ledger, SectionUse use) {
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

  private static SectionUse.Source source(LedgerLine line) {
    return new SectionUse.Source(
        line.number(),
        line.candidate().kind(),
        line.candidate().id(),
        line.candidate().scores().relevance());
  }

  private static LedgerLine at(LedgerLine line, int number) {
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
