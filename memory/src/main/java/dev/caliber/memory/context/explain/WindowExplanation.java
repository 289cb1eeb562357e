package dev.caliber.memory.context.explain;

import dev.caliber.kernel.Id;
import dev.caliber.memory.context.budget.BudgetAllocator;
import dev.caliber.memory.context.candidate.WindowSubjectFilter;
import dev.caliber.memory.context.window.Candidate;
import dev.caliber.memory.context.window.CandidateScores;
import dev.caliber.memory.context.window.LedgerLine;
import dev.caliber.memory.context.window.ReachedLimit;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.context.window.WindowSection;
import dev.caliber.memory.record.ReadableSubjects;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Explanation of a window for people and programs.
 *
 * @param counter the token counter; {@code estimate} where no tokenizer was known
 * @param inclusions items included completely, in the order of the ledger
 * @param shortened items included in part
 * @param exclusions excluded items
 * @param beyond minimum number of records of a section's rule beyond its limit
 * @param rest the same in words, with the limit; {@code other_subjects}: number of records hidden
 *     because they belong to another subject; {@code named_subjects}: the subjects named
 * @param degraded why the window is reduced: without the index, or without vectors
 */
public record WindowExplanation(
    Id windowId,
    String counter,
    List<ExplanationItem> inclusions,
    List<ExplanationItem> shortened,
    List<ExplanationItem> exclusions,
    ExplanationBudget budget,
    Map<String, Integer> beyond,
    Map<String, String> rest,
    Optional<String> degraded) {

  private static final String OTHER_SUBJECTS = "other_subjects";
  private static final String NAMED_SUBJECTS = "named_subjects";

  /**
   * Explained candidate.
   *
   * @param tokens tokens in the window
   * @param wouldHaveTokens tokens of the complete item
   * @param words the reason as a sentence
   * @param scores its scores, by channel
   */
  public record ExplanationItem(
      int number,
      SourceKind sourceType,
      Id sourceId,
      String section,
      String rule,
      String reason,
      int tokens,
      int wouldHaveTokens,
      String words,
      CandidateScores scores) {}

  /**
   * Use of the budget.
   *
   * @param total the requested budget, or that of {@code pcp.window-limits} if less
   * @param bySection tokens of items, and {@code frame} for the rest; adds up to {@code used}
   */
  public record ExplanationBudget(int total, int used, Map<String, Integer> bySection) {}

  public WindowExplanation {
    inclusions = List.copyOf(inclusions);
    shortened = List.copyOf(shortened);
    exclusions = List.copyOf(exclusions);
  }

  public static WindowExplanation of(Window window) {
    List<ExplanationItem> inclusions = new ArrayList<>();
    List<ExplanationItem> shortened = new ArrayList<>();
    List<ExplanationItem> exclusions = new ArrayList<>();
    for (LedgerLine line : window.ledger()) {
      switch (line.decision()) {
        case INCLUDE -> inclusions.add(newItem(window, line));
        case COMPRESS, TRUNCATE -> shortened.add(newItem(window, line));
        case EXCLUDE -> exclusions.add(newItem(window, line));
      }
    }
    return new WindowExplanation(
        window.id(),
        window.recipe().counter(),
        inclusions,
        shortened,
        exclusions,
        budgetUsage(window),
        omittedCandidateCounts(window),
        omissionReasons(window),
        window.inputs().degraded());
  }

  private static ExplanationItem newItem(Window window, LedgerLine line) {
    Candidate candidate = line.candidate();
    return new ExplanationItem(
        line.number(),
        candidate.kind(),
        candidate.id(),
        candidate.section(),
        line.rule(),
        line.reason(),
        line.tokens(),
        line.fullTokens(),
        sentence(window, line),
        candidate.scores());
  }

  private static ExplanationBudget budgetUsage(Window window) {
    Map<String, Integer> bySection = new LinkedHashMap<>();
    window.sections().forEach(section -> bySection.put(section.name(), section.tokens()));
    bySection.put(WindowSection.FRAME, window.frame());
    return new ExplanationBudget(window.maxTokens(), window.usedTokens(), bySection);
  }

  private static Map<String, Integer> omittedCandidateCounts(Window window) {
    return window.recipe().sections().stream()
        .filter(windowSection -> windowSection.beyond() > 0)
        .collect(
            Collectors.toMap(
                WindowSection::name, WindowSection::beyond, (one, _) -> one, LinkedHashMap::new));
  }

  private static Map<String, String> omissionReasons(Window window) {
    Map<String, String> rest = new LinkedHashMap<>();
    for (WindowSection windowSection : window.recipe().sections()) {
      if (windowSection.beyond() > 0 || windowSection.bound().isPresent()) {
        rest.put(windowSection.name(), omissionReason(windowSection));
      }
    }
    window
        .inputs()
        .otherSubjects()
        .ifPresent(
            count ->
                rest.put(
                    OTHER_SUBJECTS,
                    "Left out: belongs to another subject (%s%d)"
                        .formatted(
                            count < WindowSubjectFilter.PASSED_OVER_BOUND ? "" : "at least ",
                            count)));
    window
        .inputs()
        .subjects()
        .ifPresent(named -> rest.put(NAMED_SUBJECTS, namedSubjectsText(named)));
    return rest;
  }

  /** Returns the named subjects as a sentence. */
  public static String namedSubjectsText(ReadableSubjects named) {
    return named.all()
        ? "Shows records of every subject"
        : "Shows records of "
            + named.subjects().stream().sorted().collect(Collectors.joining(", "));
  }

  private static String omissionReason(WindowSection windowSection) {
    String limit =
        windowSection.bound().map(ReachedLimit::setting).orElse("the limit of candidates");
    int least = windowSection.beyond();
    if (least == 0) {
      return "there may be more beyond " + limit;
    }
    String number =
        windowSection
            .bound()
            .flatMap(ReachedLimit::most)
            .map(most -> most == least ? "%d".formatted(least) : "%d to %d".formatted(least, most))
            .orElseGet(() -> "at least %d".formatted(least));
    return "%s more beyond %s".formatted(number, limit);
  }

  private static String sentence(Window window, LedgerLine line) {
    String said = decisionText(window, line);
    return line.candidate()
        .scores()
        .trust()
        .map(trust -> said + "; " + trust.description())
        .orElse(said);
  }

  private static String decisionText(Window window, LedgerLine line) {
    return switch (line.decision()) {
      case INCLUDE -> "included: %d tokens".formatted(line.tokens());
      case COMPRESS ->
          "included, shortened to its main sentences: %d of %d tokens"
              .formatted(line.tokens(), line.fullTokens());
      case TRUNCATE ->
          "included, cut to its beginning: %d of %d tokens"
              .formatted(line.tokens(), line.fullTokens());
      case EXCLUDE -> "left out: " + exclusionText(window, line);
    };
  }

  private static String exclusionText(Window window, LedgerLine line) {
    return switch (line.rule()) {
      case "budget_limit" ->
          "%d tokens. %s%s"
              .formatted(line.fullTokens(), line.reason(), displacementText(window, line));
      case "budget_exhausted" ->
          "%d tokens, but earlier rules had used up the budget".formatted(line.fullTokens());
      default ->
          "%s%s"
              .formatted(
                  line.reason().substring(0, 1).toLowerCase(Locale.ROOT),
                  line.reason().substring(1));
    };
  }

  /**
   * Returns what lower priorities take; empty if the section's own limit was exceeded, since
   * displacing them would not help.
   */
  private static String displacementText(Window window, LedgerLine line) {
    if (line.reason().startsWith(BudgetAllocator.SECTION_LIMIT)) {
      return "";
    }
    List<LedgerLine> lower =
        window.ledger().stream()
            .filter(other -> other.decision().isIncluded())
            .filter(other -> other.candidate().priority() < line.candidate().priority())
            .toList();
    return lower.isEmpty()
        ? "; no included item has a lower priority"
        : "; included items of lower priority take %d tokens"
            .formatted(lower.stream().mapToInt(LedgerLine::tokens).sum());
  }
}
