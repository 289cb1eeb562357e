package dev.caliber.memory.context.budget;

import dev.caliber.kernel.config.ContextIntegrityConfig.WindowLimits;
import dev.caliber.memory.context.candidate.RecordBody;
import dev.caliber.memory.context.candidate.ToolCallBundles;
import dev.caliber.memory.context.render.PlainTextFormat;
import dev.caliber.memory.context.render.WindowItem;
import dev.caliber.memory.context.window.Candidate;
import dev.caliber.memory.context.window.CandidateLimit;
import dev.caliber.memory.context.window.CandidateScores;
import dev.caliber.memory.context.window.CompositionSettings;
import dev.caliber.memory.context.window.InclusionDecision;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.WindowSection;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One pass over the ordered candidates that includes each or excludes it with a reason. Tokens are
 * those of single items; the caller checks whether the rendered window fits.
 */
public final class BudgetAllocator {
  private static final String WINDOW_LIMITS = "pcp.window-limits.";
  private static final int NO_LIMIT = Integer.MAX_VALUE;
  private static final String CONTENT_LIMIT = "content_limit";

  /** Prefix of a reason when the section's limit was exceeded, not the window's. */
  public static final String SECTION_LIMIT = "Section limit reached";

  private final CompositionSettings asked;
  private final CompositionSettings compositionSettings;
  private final TokenSizes tokenSizes;
  private final TextShortener textShortener;
  private final Map<String, Integer> limits;
  private final LinkedHashMap<String, SectionBudget> uses = new LinkedHashMap<>();
  private final Map<Integer, AllocationDecision> verdicts = new HashMap<>();
  private final Map<String, List<WindowItem>> said = new HashMap<>();
  private final Map<SourceKind, Integer> shown = new EnumMap<>(SourceKind.class);
  private final List<List<Integer>> included = new ArrayList<>();
  private final List<WindowItem> placed = new ArrayList<>();
  private int used;

  /**
   * @param limits token limits of bundles that made the rendered window too long
   */
  BudgetAllocator(
      CompositionSettings asked,
      TokenSizes tokenSizes,
      TextShortener textShortener,
      Map<String, Integer> limits) {
    this.asked = asked;
    this.compositionSettings = asked.withinLimits();
    this.tokenSizes = tokenSizes;
    this.textShortener = textShortener;
    this.limits = limits;
    this.used = tokenSizes.windowFrameTokens();
    for (WindowSection windowSection : compositionSettings.sections().reversed()) {
      uses.putFirst(
          windowSection.name(), new SectionBudget(windowSection, List.copyOf(uses.values())));
    }
  }

  /** Decision on one candidate; the item is the one shown in the window. */
  record AllocationDecision(
      WindowItem item, InclusionDecision decision, String rule, String reason) {

    /** Returns whether the format truncates the item. */
    boolean isContentLimited() {
      return rule.equals(CONTENT_LIMIT);
    }
  }

  private record ExclusionReason(String rule, String reason) {}

  /** Budget use of a section. */
  private static final class SectionBudget {
    private final WindowSection windowSection;
    private final List<SectionBudget> later;
    private int wanted;
    private int tokens;
    private boolean begun;
    private boolean late;
    private boolean opened;
    private boolean stopped;

    SectionBudget(WindowSection windowSection, List<SectionBudget> later) {
      this.windowSection = windowSection;
      this.later = later;
    }

    /** Returns the part of the reserve that the section has not used yet. */
    double unusedReserve(int budget) {
      return Math.max(0, Math.min(windowSection.reserve() * budget, wanted) - tokens);
    }
  }

  /** Decides on every candidate, in their order. */
  void allocate(List<WindowItem> ordered) {
    Map<String, List<WindowItem>> bundles = new LinkedHashMap<>();
    for (WindowItem windowItem : ordered) {
      bundles
          .computeIfAbsent(windowItem.content().bundleKey(), _ -> new ArrayList<>())
          .add(windowItem);
    }
    bundles.values().forEach(this::addDemand);
    said.clear();
    shown.clear();
    bundles.forEach(this::decideBundle);
  }

  /**
   * Adds the tokens of a bundle that only lack of budget can exclude to the demand of its section.
   * The demand does not depend on the budget, so a larger budget never leaves less to earlier
   * sections.
   */
  private void addDemand(List<WindowItem> pieces) {
    WindowItem first = pieces.getFirst();
    Candidate candidate = first.content().candidate();
    if (isEligible(candidate)
        && checkWindowLimits(candidate).or(() -> checkDuplicate(pieces)).isEmpty()) {
      SectionBudget sectionBudget = sectionBudget(first);
      int frame =
          sectionBudget.wanted == 0
              ? tokenSizes.sectionFrameTokens(sectionBudget.windowSection)
              : 0;
      sectionBudget.wanted += frame + pieces.stream().mapToInt(tokenSizes::itemTokens).sum();
      pieces.forEach(this::rememberText);
      pieces.forEach(this::countKind);
    }
  }

  private boolean isEligible(Candidate first) {
    return !isIncompleteBundle(first)
        && first.scores().relevance() >= compositionSettings.minimum()
        && !isBelowQuality(first.scores());
  }

  private static boolean isIncompleteBundle(Candidate first) {
    return first.bundle().filter(ToolCallBundles::isIncomplete).isPresent();
  }

  AllocationDecision decisionFor(int number) {
    return Objects.requireNonNull(verdicts.get(number));
  }

  /** Returns the numbers of the included items, by bundle, in the order of inclusion. */
  List<List<Integer>> includedItemNumbers() {
    return List.copyOf(included);
  }

  private SectionBudget sectionBudget(WindowItem windowItem) {
    return Objects.requireNonNull(uses.get(windowItem.content().candidate().section()));
  }

  private void decideBundle(String bundle, List<WindowItem> pieces) {
    WindowItem first = pieces.getFirst();
    Optional<ExclusionReason> refusal =
        findExclusion(first.content().candidate(), sectionBudget(first))
            .or(() -> checkDuplicate(pieces));
    if (refusal.isPresent()) {
      exclude(pieces, refusal.get());
    } else {
      placeBundle(sectionBudget(first), limits.getOrDefault(bundle, Integer.MAX_VALUE), pieces);
    }
  }

  private boolean isShortenable(List<WindowItem> pieces) {
    WindowItem first = pieces.getFirst();
    return pieces.size() == 1
        && tokenSizes.itemTokens(first) > compositionSettings.shortening().minSourceTokens()
        && first.content().body().isProse();
  }

  private Optional<ExclusionReason> findExclusion(Candidate first, SectionBudget sectionBudget) {
    if (first.kind() == SourceKind.SYSTEM) {
      return Optional.empty();
    }
    if (isIncompleteBundle(first)) {
      return exclusion(
          "unpaired_tool_call", "A tool call without its result, or a result without its call");
    }
    if (first.scores().relevance() < compositionSettings.minimum()) {
      return exclusion(
          "relevance_threshold",
          belowLimitText(
              "relevance threshold", first.scores().relevance(), compositionSettings.minimum()));
    }
    return checkQuality(first.scores())
        .or(() -> checkWindowLimits(first))
        .or(() -> checkBudgetExhausted(sectionBudget))
        .or(() -> checkConversationCut(sectionBudget));
  }

  /** Formats with the root locale, so that the text is equal on every host. */
  private static String belowLimitText(String limit, double found, double wanted) {
    return String.format(Locale.ROOT, "Below %s (%.2f < %.2f)", limit, found, wanted);
  }

  private boolean isBelowQuality(CandidateScores candidateScores) {
    return candidateScores
        .quality()
        .filter(found -> found.value() < compositionSettings.minimumQuality())
        .isPresent();
  }

  private Optional<ExclusionReason> checkQuality(CandidateScores candidateScores) {
    return isBelowQuality(candidateScores)
        ? exclusion(
            "quality_minimum",
            belowLimitText(
                "quality minimum",
                candidateScores.sortScore(),
                compositionSettings.minimumQuality()))
        : Optional.empty();
  }

  /** Enforces the maximum number of records of a kind, if the window has limits. */
  private Optional<ExclusionReason> checkWindowLimits(Candidate first) {
    return compositionSettings
        .dosage()
        .flatMap(limits -> windowLimit(limits, first.kind()))
        .filter(most -> shown.getOrDefault(first.kind(), 0) >= most.records())
        .map(
            most ->
                new ExclusionReason(
                    "window_limit",
                    "A window has at most %d items of this kind (%s)"
                        .formatted(most.records(), most.setting().orElseThrow())));
  }

  private static Optional<CandidateLimit> windowLimit(WindowLimits limits, SourceKind kind) {
    return switch (kind) {
      case SCOPE -> Optional.of(newWindowLimit(limits.maxScopes(), "max-scopes"));
      case ARTIFACT -> Optional.of(newWindowLimit(limits.maxArtifacts(), "max-artifacts"));
      case NOTE -> Optional.of(newWindowLimit(limits.maxNotes(), "max-notes"));
      case SYSTEM, TRAJECTORY, TURN -> Optional.empty();
    };
  }

  private static CandidateLimit newWindowLimit(int records, String setting) {
    return new CandidateLimit(records, Optional.of(WINDOW_LIMITS + setting));
  }

  /** Excludes an item whose text is already in the window, but not in a conversation. */
  private Optional<ExclusionReason> checkDuplicate(List<WindowItem> pieces) {
    WindowItem first = pieces.getFirst();
    return pieces.size() > 1 || sectionBudget(first).windowSection.dialogue()
        ? Optional.empty()
        : said.getOrDefault(first.content().body().plainText(), List.of()).stream()
            .filter(other -> hasSameEntityOrSpeaker(first.content().body(), other.content().body()))
            .findFirst()
            .map(
                other ->
                    new ExclusionReason(
                        "duplicate", "Says the same as [%d]".formatted(other.number())));
  }

  /** Returns false if equal texts are about different entities or from different speakers. */
  private static boolean hasSameEntityOrSpeaker(RecordBody one, RecordBody other) {
    return one.entityOrSpeaker().isEmpty()
        || other.entityOrSpeaker().isEmpty()
        || one.entityOrSpeaker().equals(other.entityOrSpeaker());
  }

  /**
   * Excludes the items of a section that starts when the budget is nearly used, unless it has a
   * reserve left.
   */
  private Optional<ExclusionReason> checkBudgetExhausted(SectionBudget sectionBudget) {
    if (!sectionBudget.begun) {
      sectionBudget.begun = true;
      boolean full = used >= compositionSettings.fillRatio() * compositionSettings.budget();
      sectionBudget.late = full && sectionBudget.unusedReserve(compositionSettings.budget()) == 0;
    }
    return sectionBudget.late
        ? exclusion("budget_exhausted", "budget_exhausted")
        : Optional.empty();
  }

  private static Optional<ExclusionReason> checkConversationCut(SectionBudget sectionBudget) {
    return sectionBudget.stopped
        ? exclusion("conversation_truncated", "Older than a turn that did not fit into the window")
        : Optional.empty();
  }

  private static Optional<ExclusionReason> exclusion(String rule, String reason) {
    return Optional.of(new ExclusionReason(rule, reason));
  }

  /**
   * Returns whether excluding the item ends its conversation, because older turns would leave a
   * gap; the last user turn is exempt.
   */
  private static boolean isConversationItem(SectionBudget sectionBudget, WindowItem windowItem) {
    return sectionBudget.windowSection.dialogue()
        && !hasPriorityOverSection(sectionBudget, windowItem);
  }

  /**
   * Returns whether the item, such as the last user turn, precedes its section and every reserve.
   */
  private static boolean hasPriorityOverSection(
      SectionBudget sectionBudget, WindowItem windowItem) {
    return windowItem.content().candidate().priority() > sectionBudget.windowSection.priority();
  }

  /** Returns which limit was exceeded. */
  private String exceededLimitText(SectionBudget sectionBudget, WindowItem windowItem) {
    int most = sectionBudget.windowSection.maxTokens();
    if (most - sectionBudget.tokens < remainingTokens(sectionBudget, windowItem)) {
      return "%s (%d/%d tokens)".formatted(SECTION_LIMIT, sectionBudget.tokens, most);
    }
    StringBuilder exceeded =
        new StringBuilder(
            "Budget exceeded (" + used + "/" + compositionSettings.budget() + " tokens");
    exceeded.append(windowLimitText()).append(')');
    for (SectionBudget other : sectionsWithReserve(sectionBudget, windowItem)) {
      int due = (int) Math.ceil(other.unusedReserve(compositionSettings.budget()));
      exceeded.append(due == 0 ? "" : ", " + due + " kept for " + other.windowSection.name());
    }
    return exceeded.toString();
  }

  /** Returns the setting of the limit, if it is less than the requested budget. */
  private String windowLimitText() {
    return asked.isTokenLimited() ? " of " + WINDOW_LIMITS + "max-tokens" : "";
  }

  private void placeBundle(SectionBudget sectionBudget, int limit, List<WindowItem> pieces) {
    int frame =
        (sectionBudget.opened ? 0 : tokenSizes.sectionFrameTokens(sectionBudget.windowSection))
            + tokenSizes.additionalFrameTokens(placed, pieces);
    int room = Math.min(availableTokens(sectionBudget, pieces.getFirst()) - frame, limit);
    int tokens = pieces.stream().mapToInt(tokenSizes::itemTokens).sum();
    if (tokens <= room || sectionBudget.windowSection.kind() == SourceKind.SYSTEM) {
      include(sectionBudget, frame + tokens, pieces);
    } else {
      shortenOrExclude(sectionBudget, frame, room, pieces);
    }
  }

  /**
   * Returns the tokens left for an item, without later sections' reserves and within its section's
   * limit.
   */
  private int availableTokens(SectionBudget sectionBudget, WindowItem windowItem) {
    return Math.min(
        remainingTokens(sectionBudget, windowItem),
        sectionBudget.windowSection.maxTokens() - sectionBudget.tokens);
  }

  private int remainingTokens(SectionBudget sectionBudget, WindowItem windowItem) {
    return (int)
            Math.floor(compositionSettings.budget() - reservedTokens(sectionBudget, windowItem))
        - used;
  }

  private double reservedTokens(SectionBudget sectionBudget, WindowItem windowItem) {
    double due = 0;
    for (SectionBudget other : sectionsWithReserve(sectionBudget, windowItem)) {
      due += other.unusedReserve(compositionSettings.budget());
    }
    return due;
  }

  /** Returns the later sections whose reserves the item must leave free. */
  private List<SectionBudget> sectionsWithReserve(
      SectionBudget sectionBudget, WindowItem windowItem) {
    return hasPriorityOverSection(sectionBudget, windowItem) ? List.of() : sectionBudget.later;
  }

  private void include(SectionBudget sectionBudget, int tokens, List<WindowItem> pieces) {
    String reason = "rule_" + sectionBudget.windowSection.rule();
    for (WindowItem windowItem : pieces) {
      setDecision(
          windowItem,
          checkContentLimit(windowItem).orElseGet(() -> fullInclusion(windowItem, reason)));
      rememberText(windowItem);
    }
    chargeTokens(sectionBudget, tokens, pieces);
  }

  private static AllocationDecision fullInclusion(WindowItem windowItem, String reason) {
    return new AllocationDecision(
        windowItem, InclusionDecision.INCLUDE, "standard_inclusion", reason);
  }

  /** Returns a truncation, if the format limits the characters of an item. */
  private Optional<AllocationDecision> checkContentLimit(WindowItem windowItem) {
    return compositionSettings
        .trust()
        .filter(_ -> windowItem.content().candidate().kind() != SourceKind.SYSTEM)
        .filter(prompt -> prompt.exceedsLimit(PlainTextFormat.itemText(windowItem)))
        .map(
            prompt ->
                new AllocationDecision(
                    windowItem,
                    InclusionDecision.TRUNCATE,
                    CONTENT_LIMIT,
                    "An item has at most %d characters (context.trust.content-limit)"
                        .formatted(prompt.rule().contentLimit())));
  }

  private void rememberText(WindowItem windowItem) {
    String words = windowItem.content().body().plainText();
    if (!words.isBlank()) {
      said.computeIfAbsent(words, _ -> new ArrayList<>()).add(windowItem);
    }
  }

  private void chargeTokens(SectionBudget sectionBudget, int tokens, List<WindowItem> pieces) {
    sectionBudget.opened = true;
    sectionBudget.tokens += tokens;
    used += tokens;
    included.add(pieces.stream().map(WindowItem::number).toList());
    placed.addAll(pieces);
    pieces.forEach(this::countKind);
  }

  private void countKind(WindowItem windowItem) {
    shown.merge(windowItem.content().candidate().kind(), 1, Integer::sum);
  }

  private void setDecision(WindowItem windowItem, AllocationDecision allocationDecision) {
    verdicts.put(windowItem.number(), allocationDecision);
  }

  private void shortenOrExclude(
      SectionBudget sectionBudget, int frame, int room, List<WindowItem> pieces) {
    WindowItem whole = pieces.getFirst();
    int full = tokenSizes.itemTokens(whole);
    Optional<TextShortener.ShortenedText> made =
        isShortenable(pieces) ? shortenToFit(sectionBudget, room, whole) : Optional.empty();
    if (made.isEmpty()) {
      sectionBudget.stopped |= isConversationItem(sectionBudget, whole);
      int takes = pieces.stream().mapToInt(tokenSizes::itemTokens).sum();
      String left = ": takes " + takes + ", " + Math.max(0, room) + " were left";
      exclude(
          pieces,
          new ExclusionReason("budget_limit", exceededLimitText(sectionBudget, whole) + left));
      return;
    }
    WindowItem windowItem =
        new WindowItem(whole.number(), whole.content(), Optional.of(made.get().text()));
    setDecision(
        windowItem,
        shortenedDecision(windowItem, made.get(), full, limitText(sectionBudget, room, whole)));
    rememberText(windowItem);
    chargeTokens(sectionBudget, frame + made.get().tokens(), List.of(windowItem));
  }

  private static AllocationDecision shortenedDecision(
      WindowItem windowItem, TextShortener.ShortenedText made, int full, String within) {
    return new AllocationDecision(
        windowItem,
        made.decision(),
        made.decision() == InclusionDecision.COMPRESS ? "compressed" : "truncated",
        "%s: %d of %d tokens, %s"
            .formatted(made.method().description(), made.tokens(), full, within));
  }

  /** Returns the limit that applied to a shortened item. */
  private String limitText(SectionBudget sectionBudget, int room, WindowItem whole) {
    int dose = compressionLimit(sectionBudget, whole);
    return dose < room
        ? WINDOW_LIMITS + "compression-ratio allows %d".formatted(dose)
        : "%d were left".formatted(room);
  }

  /**
   * Shortens an item; items of a conversation are only truncated, because leaving out sentences
   * would create gaps.
   */
  private Optional<TextShortener.ShortenedText> shortenToFit(
      SectionBudget sectionBudget, int room, WindowItem whole) {
    return textShortener.shortenToFit(
        whole.content(),
        sectionBudget.windowSection.compressible() && !sectionBudget.windowSection.dialogue(),
        Math.min(room, compressionLimit(sectionBudget, whole)),
        compositionSettings.shortening().minResultTokens(),
        text ->
            tokenSizes.itemTokens(
                new WindowItem(whole.number(), whole.content(), Optional.of(text))));
  }

  /** Returns the limit of a non-critical item when the window has limits: a share of its size. */
  private int compressionLimit(SectionBudget sectionBudget, WindowItem whole) {
    return compositionSettings
        .dosage()
        .filter(limits -> sectionBudget.windowSection.priority() < limits.criticalPriority())
        .map(limits -> (int) (tokenSizes.itemTokens(whole) * limits.compressionRatio()))
        .orElse(NO_LIMIT);
  }

  private void exclude(List<WindowItem> pieces, ExclusionReason exclusionReason) {
    pieces.forEach(
        windowItem ->
            setDecision(
                windowItem,
                new AllocationDecision(
                    windowItem,
                    InclusionDecision.EXCLUDE,
                    exclusionReason.rule(),
                    exclusionReason.reason())));
  }
}
