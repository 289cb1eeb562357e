package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.SubjectScope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Why a window is as it is, for people and programs.
 *
 * @param counter what counted the tokens; {@code estimate} where no tokenizer was known
 * @param inclusions what is in as a whole, in the order of the ledger
 * @param shortened what is in as a part
 * @param exclusions what is left out
 * @param beyond how many records a section's rule had beyond its limit, at least
 * @param rest the same in words, with the limit; {@code other_subjects}: how many records were left
 *     out because they belong to another subject; {@code named_subjects}: which were named
 * @param degraded why the window is less than it could be: without the index, or without vectors
 */
public record Explanation(
    Id windowId,
    String counter,
    List<Item> inclusions,
    List<Item> shortened,
    List<Item> exclusions,
    Budget budget,
    Map<String, Integer> beyond,
    Map<String, String> rest,
    Optional<String> degraded) {

  static final String FRAME = "frame";
  private static final String OTHER_SUBJECTS = "other_subjects";
  private static final String NAMED_SUBJECTS = "named_subjects";

  /**
   * One candidate.
   *
   * @param tokens what it takes in the window
   * @param wouldHaveTokens what it takes as a whole
   * @param words the reason as a sentence
   * @param scores how near it is, by channel
   */
  public record Item(
      int number,
      SourceKind sourceType,
      Id sourceId,
      String section,
      String rule,
      String reason,
      int tokens,
      int wouldHaveTokens,
      String words,
      Scores scores) {}

  /**
   * How the budget was used.
   *
   * @param total what the window was asked for, or held to by {@code pcp.dosage} where that is less
   * @param bySection tokens of items, and {@code frame} for what stands around them; adds up to
   *     {@code used}
   */
  public record Budget(int total, int used, Map<String, Integer> bySection) {}

  public Explanation {
    inclusions = List.copyOf(inclusions);
    shortened = List.copyOf(shortened);
    exclusions = List.copyOf(exclusions);
  }

  public static Explanation of(Window window) {
    List<Item> inclusions = new ArrayList<>();
    List<Item> shortened = new ArrayList<>();
    List<Item> exclusions = new ArrayList<>();
    for (LedgerLine line : window.ledger()) {
      switch (line.decision()) {
        case INCLUDE -> inclusions.add(item(window, line));
        case COMPRESS, TRUNCATE -> shortened.add(item(window, line));
        case EXCLUDE -> exclusions.add(item(window, line));
      }
    }
    return new Explanation(
        window.id(),
        window.recipe().counter(),
        inclusions,
        shortened,
        exclusions,
        budget(window),
        beyond(window),
        rest(window),
        window.inputs().degraded());
  }

  private static Item item(Window window, LedgerLine line) {
    Candidate candidate = line.candidate();
    return new Item(
        line.number(),
        candidate.kind(),
        candidate.id(),
        candidate.section(),
        line.rule(),
        line.reason(),
        line.tokens(),
        line.fullTokens(),
        words(window, line),
        candidate.scores());
  }

  private static Budget budget(Window window) {
    Map<String, Integer> bySection = new LinkedHashMap<>();
    window.sections().forEach(section -> bySection.put(section.name(), section.tokens()));
    bySection.put(FRAME, window.frame());
    return new Budget(window.maxTokens(), window.usedTokens(), bySection);
  }

  private static Map<String, Integer> beyond(Window window) {
    return window.recipe().sections().stream()
        .filter(section -> section.beyond() > 0)
        .collect(
            Collectors.toMap(Section::name, Section::beyond, (one, _) -> one, LinkedHashMap::new));
  }

  private static Map<String, String> rest(Window window) {
    Map<String, String> rest = new LinkedHashMap<>();
    for (Section section : window.recipe().sections()) {
      if (section.beyond() > 0 || section.bound().isPresent()) {
        rest.put(section.name(), rest(section));
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
                            count < VisibleSubjects.PASSED_OVER_BOUND ? "" : "at least ", count)));
    window.inputs().subjects().ifPresent(named -> rest.put(NAMED_SUBJECTS, told(named)));
    return rest;
  }

  /** Which subjects were named, as a sentence. */
  static String told(SubjectScope named) {
    return named.all()
        ? "Shows records of every subject"
        : "Shows records of "
            + named.subjects().stream().sorted().collect(Collectors.joining(", "));
  }

  private static String rest(Section section) {
    String limit = section.bound().map(Bound::setting).orElse("the limit of candidates");
    int least = section.beyond();
    if (least == 0) {
      return "there may be more beyond " + limit;
    }
    String number =
        section
            .bound()
            .flatMap(Bound::most)
            .map(most -> most == least ? "%d".formatted(least) : "%d to %d".formatted(least, most))
            .orElseGet(() -> "at least %d".formatted(least));
    return "%s more beyond %s".formatted(number, limit);
  }

  private static String words(Window window, LedgerLine line) {
    String said = decided(window, line);
    return line.candidate().scores().trust().map(trust -> said + "; " + trust.told()).orElse(said);
  }

  private static String decided(Window window, LedgerLine line) {
    return switch (line.decision()) {
      case INCLUDE -> "in: %d tokens".formatted(line.tokens());
      case COMPRESS ->
          "in, as its main sentences: %d of %d tokens".formatted(line.tokens(), line.fullTokens());
      case TRUNCATE ->
          "in, its beginning: %d of %d tokens".formatted(line.tokens(), line.fullTokens());
      case EXCLUDE -> "left out: " + left(window, line);
    };
  }

  private static String left(Window window, LedgerLine line) {
    return switch (line.rule()) {
      case "budget_limit" ->
          "%d tokens. %s%s".formatted(line.fullTokens(), line.reason(), displacement(window, line));
      case "token_budget_exhausted" ->
          "%d tokens, and its rule came when the budget was used up".formatted(line.fullTokens());
      default ->
          "%s%s"
              .formatted(
                  line.reason().substring(0, 1).toLowerCase(Locale.ROOT),
                  line.reason().substring(1));
    };
  }

  /** Nothing of lower priority gives way to what its own section has no room for. */
  private static String displacement(Window window, LedgerLine line) {
    if (line.reason().startsWith(Filling.SECTION_LIMIT)) {
      return "";
    }
    List<LedgerLine> lower =
        window.ledger().stream()
            .filter(other -> other.decision().isIn())
            .filter(other -> other.candidate().priority() < line.candidate().priority())
            .toList();
    return lower.isEmpty()
        ? "; it would have displaced nothing of lower priority"
        : "; what is in of lower priority takes %d"
            .formatted(lower.stream().mapToInt(LedgerLine::tokens).sum());
  }
}
