package dev.caliber.memory.context.budget;

import dev.caliber.memory.context.candidate.CandidateContent;
import dev.caliber.memory.context.render.FilledSection;
import dev.caliber.memory.context.render.WindowItem;
import dev.caliber.memory.context.render.WindowRenderer;
import dev.caliber.memory.context.window.Candidate;
import dev.caliber.memory.context.window.ComposedWindow;
import dev.caliber.memory.context.window.CompositionSettings;
import dev.caliber.memory.context.window.ContextException;
import dev.caliber.memory.context.window.LedgerLine;
import dev.caliber.memory.context.window.SectionContent;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.WindowSection;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.text.RuleBasedTextAnalyzer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Composes a window from candidates: equal settings, candidates and counter give equal bytes. */
public final class WindowComposer {
  private static final Comparator<WindowItem> BY_TIME =
      Comparator.comparing((WindowItem windowItem) -> windowItem.content().candidate().time())
          .thenComparingLong(windowItem -> windowItem.content().candidate().position())
          .thenComparing(windowItem -> windowItem.content().candidate().id());

  private final CompositionSettings asked;
  private final CompositionSettings compositionSettings;
  private final TokenSizes tokenSizes;
  private final TextShortener textShortener;
  private final List<WindowItem> ordered;

  private WindowComposer(
      CompositionSettings compositionSettings,
      List<CandidateContent> ordered,
      TokenSizes tokenSizes) {
    this.asked = compositionSettings;
    this.compositionSettings = compositionSettings.withinLimits();
    this.tokenSizes = tokenSizes;
    this.textShortener = new TextShortener(RuleBasedTextAnalyzer.of(compositionSettings.text()));
    this.ordered = numberItems(ordered);
  }

  public static ComposedWindow compose(
      CompositionSettings compositionSettings,
      List<CandidateContent> candidates,
      TokenCounter counter,
      TokenCountCache tokenCountCache) {
    List<CandidateContent> ordered =
        new CandidateSorter(
                compositionSettings.ranking(),
                compositionSettings.at(),
                compositionSettings.dialogueSections())
            .sort(candidates);
    WindowRenderer windowRenderer = WindowRenderer.of(compositionSettings, ordered);
    return new WindowComposer(
            compositionSettings,
            ordered,
            new TokenSizes(
                compositionSettings.sections(), windowRenderer, counter, tokenCountCache))
        .composeWithinBudget();
  }

  private static List<WindowItem> numberItems(List<CandidateContent> candidates) {
    List<WindowItem> pieces = new ArrayList<>();
    candidates.forEach(
        candidateContent -> pieces.add(WindowItem.of(pieces.size() + 1, candidateContent)));
    return pieces;
  }

  /**
   * Allocates repeatedly: while the rendered window is over the budget, the first item that made it
   * so gets less room or none. Everything before that item keeps its size, so this ends.
   */
  private ComposedWindow composeWithinBudget() {
    Map<String, Integer> limits = new HashMap<>();
    while (true) {
      BudgetAllocator budgetAllocator =
          new BudgetAllocator(asked, tokenSizes, textShortener, limits);
      budgetAllocator.allocate(ordered);
      String text = render(budgetAllocator, budgetAllocator.includedItemNumbers());
      int used = tokenSizes.textTokens(text);
      if (used <= compositionSettings.budget()) {
        return toWindow(budgetAllocator, text, used);
      }
      limitOverflow(budgetAllocator, limits);
    }
  }

  /**
   * Reduces the limit of the first item with which the rendered window is too long by the excess.
   */
  private void limitOverflow(BudgetAllocator budgetAllocator, Map<String, Integer> limits) {
    List<List<Integer>> included = budgetAllocator.includedItemNumbers();
    int count = included.size();
    while (count > 1
        && renderedTokens(budgetAllocator, included.subList(0, count - 1))
            > compositionSettings.budget()) {
      count--;
    }
    int needed = renderedTokens(budgetAllocator, included.subList(0, count));
    if (count == 0 || isSystem(budgetAllocator, included.get(count - 1))) {
      throw ContextException.budgetTooSmall(compositionSettings.budget(), needed);
    }
    List<WindowItem> last =
        included.get(count - 1).stream()
            .map(number -> budgetAllocator.decisionFor(number).item())
            .toList();
    int tokens = last.stream().mapToInt(tokenSizes::itemTokens).sum();
    limits.put(
        last.getFirst().content().bundleKey(), tokens - (needed - compositionSettings.budget()));
  }

  private static boolean isSystem(BudgetAllocator budgetAllocator, List<Integer> bundle) {
    return budgetAllocator.decisionFor(bundle.getFirst()).item().content().candidate().kind()
        == SourceKind.SYSTEM;
  }

  private int renderedTokens(BudgetAllocator budgetAllocator, List<List<Integer>> included) {
    return tokenSizes.textTokens(render(budgetAllocator, included));
  }

  private String render(BudgetAllocator budgetAllocator, List<List<Integer>> included) {
    return tokenSizes.render(filledSections(budgetAllocator, included));
  }

  private List<FilledSection> filledSections(
      BudgetAllocator budgetAllocator, List<List<Integer>> included) {
    List<WindowItem> pieces =
        included.stream()
            .flatMap(List::stream)
            .map(number -> budgetAllocator.decisionFor(number).item())
            .toList();
    return compositionSettings.sections().stream()
        .map(windowSection -> fillSection(windowSection, pieces))
        .filter(filledSection -> !filledSection.items().isEmpty())
        .toList();
  }

  private static FilledSection fillSection(WindowSection windowSection, List<WindowItem> pieces) {
    return new FilledSection(
        windowSection,
        pieces.stream()
            .filter(
                windowItem ->
                    windowItem.content().candidate().section().equals(windowSection.name()))
            .sorted(
                windowSection.isChronological()
                    ? BY_TIME
                    : Comparator.comparingInt(WindowItem::number))
            .toList());
  }

  private ComposedWindow toWindow(BudgetAllocator budgetAllocator, String text, int used) {
    List<LedgerLine> ledger =
        ordered.stream().map(windowItem -> ledgerLine(budgetAllocator, windowItem)).toList();
    int items = ledger.stream().mapToInt(LedgerLine::tokens).sum();
    List<SectionContent> sections =
        filledSections(budgetAllocator, budgetAllocator.includedItemNumbers()).stream()
            .map(this::sectionContent)
            .toList();
    return new ComposedWindow(text, used, used - items, ledger, sections);
  }

  private LedgerLine ledgerLine(BudgetAllocator budgetAllocator, WindowItem windowItem) {
    BudgetAllocator.AllocationDecision allocationDecision =
        budgetAllocator.decisionFor(windowItem.number());
    int full =
        allocationDecision.isContentLimited()
            ? tokenSizes.fullItemTokens(windowItem)
            : tokenSizes.itemTokens(windowItem);
    int tokens =
        allocationDecision.decision().isIncluded()
            ? tokenSizes.itemTokens(allocationDecision.item())
            : 0;
    return new LedgerLine(
        windowItem.number(),
        windowItem.content().candidate(),
        full,
        tokens,
        allocationDecision.decision(),
        allocationDecision.rule(),
        allocationDecision.reason());
  }

  private SectionContent sectionContent(FilledSection filledSection) {
    WindowSection windowSection = filledSection.section();
    return new SectionContent(
        windowSection.name(),
        windowSection.rule(),
        windowSection.priority(),
        filledSection.items().stream().mapToInt(tokenSizes::itemTokens).sum(),
        windowSection.compressible(),
        filledSection.items().stream().map(WindowComposer::sectionRecord).toList());
  }

  private static SectionContent.SectionRecord sectionRecord(WindowItem windowItem) {
    Candidate candidate = windowItem.content().candidate();
    return new SectionContent.SectionRecord(
        windowItem.number(), candidate.kind(), candidate.id(), candidate.scores().relevance());
  }
}
