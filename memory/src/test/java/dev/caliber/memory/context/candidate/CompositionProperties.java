package dev.caliber.memory.context.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.kernel.config.ContextIntegrityConfig.WindowLimits;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.config.TrustSettings;
import dev.caliber.memory.context.TrustText;
import dev.caliber.memory.context.budget.CandidateSorter;
import dev.caliber.memory.context.budget.TokenCountCache;
import dev.caliber.memory.context.budget.WindowComposer;
import dev.caliber.memory.context.window.Candidate;
import dev.caliber.memory.context.window.CandidateScores;
import dev.caliber.memory.context.window.ComposedWindow;
import dev.caliber.memory.context.window.CompositionSettings;
import dev.caliber.memory.context.window.ContextErrorCode;
import dev.caliber.memory.context.window.ContextException;
import dev.caliber.memory.context.window.InclusionDecision;
import dev.caliber.memory.context.window.KnownNoteConflicts;
import dev.caliber.memory.context.window.LedgerLine;
import dev.caliber.memory.context.window.NoteConflict;
import dev.caliber.memory.context.window.SectionContent;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.SourceQuality;
import dev.caliber.memory.context.window.Trust;
import dev.caliber.memory.context.window.TrustClass;
import dev.caliber.memory.context.window.TrustFormatInput;
import dev.caliber.memory.context.window.WindowSection;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.view.MemoryConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Properties of every window, whatever the candidates and the token counter. */
final class CompositionProperties {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final ContextConfig STARTER = RuntimeConfig.starter().context();

  private record Counter(String name, ToIntFunction<String> counts) implements TokenCounter {
    @Override
    public int count(String text) {
      return counts.applyAsInt(text);
    }
  }

  /**
   * The last one counts more for a whole text than for its parts: every line border costs a token.
   */
  private static final List<TokenCounter> COUNTERS =
      List.of(
          TokenCounter.estimate(new TokenEstimator(3.5)),
          new Counter("characters", text -> text.codePointCount(0, text.length())),
          new Counter("words", text -> text.split("\\s+").length),
          new Counter(
              "borders", text -> text.length() / 3 + 2 * (text.split("\n.", -1).length - 1) + 1));

  private static final List<WindowSection> SECTIONS =
      List.of(
          section("system", SourceKind.SYSTEM, 100, 0, false),
          section("conversation", SourceKind.TURN, 80, 0, true),
          section("recalled", SourceKind.TURN, 70, 0.3, false),
          section("artifacts", SourceKind.ARTIFACT, 60, 0.1, false),
          section("notes", SourceKind.NOTE, 50, 0.2, false),
          section("history", SourceKind.SCOPE, 50, 0.1, false));

  private static final Trust TRUSTED = new Trust(TrustClass.OLD, 40, "source");
  private static final WindowLimits DOSAGE = new WindowLimits(900, 1, 2, 3, 75, 0.5);

  private static final TrustFormatInput PROMPT =
      TrustFormatInput.of(
          new TrustSettings(
              STARTER.assembly().trust().levels(),
              Duration.ofDays(7),
              Duration.ofDays(30),
              120,
              List.of("Be careful.")),
          Optional.of("What?\nNow?"));

  private static WindowSection section(
      String name, SourceKind kind, int priority, double reserve, boolean dialogue) {
    int most = name.equals("artifacts") ? 200 : Integer.MAX_VALUE;
    return WindowSection.of(name, kind, priority, most, reserve, dialogue);
  }

  private static CompositionSettings recipe(
      int budget, ContextFormat format, ContextConfig.WindowRankingSettings windowRankingSettings) {
    return new CompositionSettings(
        CompositionSettings.COMPOSITION,
        budget,
        "",
        STARTER.fillRatio(),
        0.2,
        windowRankingSettings,
        new ContextConfig.ShorteningSettings(40, 10),
        MemoryConfig.starter().text(),
        format,
        true,
        "any",
        1,
        1,
        NOW,
        SECTIONS,
        Optional.empty(),
        Optional.of(0.3),
        format == ContextFormat.TRUST ? Optional.of(PROMPT) : Optional.empty());
  }

  private static CompositionSettings recipe(int budget, ContextFormat format) {
    return recipe(budget, format, STARTER.assembly().ranking());
  }

  /** Returns settings with or without limits. */
  private static CompositionSettings recipe(int budget, ContextFormat format, boolean dosed) {
    CompositionSettings compositionSettings = recipe(budget, format);
    return dosed ? compositionSettings.withLimits(DOSAGE) : compositionSettings;
  }

  @Provide
  Arbitrary<List<CandidateContent>> candidates() {
    Arbitrary<String> text =
        Arbitraries.oneOf(
                Arbitraries.strings()
                    .withChars("abc defg. hij?! \n<>&\"'äß漢字[1]")
                    .ofMinLength(1)
                    .ofMaxLength(300),
                Arbitraries.of("Tea. ", "漢字と🙂。 ", "A longer sentence that says a little more. ")
                    .flatMap(piece -> Arbitraries.integers().between(1, 40).map(piece::repeat)))
            .map(made -> made.isBlank() ? "x" : made);
    Arbitrary<CandidateContent> one =
        Combinators.combine(
                Arbitraries.integers().between(1, 5),
                text,
                Arbitraries.doubles().between(0, 1).ofScale(2),
                Arbitraries.doubles().between(0.1, 1).ofScale(2),
                Arbitraries.integers().between(0, 1_000_000),
                Arbitraries.integers().between(0, 1_000_000_000))
            .as(CompositionProperties::content);
    Arbitrary<List<CandidateContent>> tools =
        Combinators.combine(
                Arbitraries.integers().between(1, 2),
                text,
                Arbitraries.doubles().between(0.1, 1).ofScale(2),
                Arbitraries.integers().between(0, 1_000_000),
                Arbitraries.integers().between(0, 1_000_000_000))
            .as(CompositionProperties::tools);
    Arbitrary<List<CandidateContent>> instructions =
        Arbitraries.of("", "Be kind.", "Say [n] where you use an item. 漢字と🙂。\n")
            .map(CompositionProperties::instructions);
    return Combinators.combine(one.list().ofMaxSize(25), tools.list().ofMaxSize(4), instructions)
        .as(
            (alone, together, first) ->
                distinct(
                    Stream.of(alone, together.stream().flatMap(List::stream).toList(), first)
                        .flatMap(List::stream)
                        .toList()));
  }

  private static List<CandidateContent> instructions(String text) {
    return text.isEmpty()
        ? List.of()
        : List.of(InstructionsCandidate.contentOf(text, SECTIONS.getFirst().priority(), NOW));
  }

  /** Returns tool calls with their results; some results are missing. */
  private static List<CandidateContent> tools(
      int section, String text, double relevance, int age, int id) {
    String call = "c" + id;
    boolean torn = id % 5 == 0;
    Optional<String> bundle = Optional.of((torn ? "torn " : "tools ") + id);
    CandidateContent asked =
        turn(
            section,
            TurnRole.ASSISTANT,
            new TurnPart.ToolCallPart(call, "find", "{}"),
            relevance,
            age,
            bundle);
    CandidateContent answered =
        turn(
            section,
            TurnRole.TOOL,
            new TurnPart.ToolResultPart(call, text, false),
            relevance,
            age,
            bundle);
    return torn ? List.of(asked) : List.of(asked, answered);
  }

  private static CandidateContent turn(
      int section,
      TurnRole turnRole,
      TurnPart turnPart,
      double relevance,
      int age,
      Optional<String> bundle) {
    WindowSection where = SECTIONS.get(section);
    Instant said = NOW.minusSeconds(age).plusSeconds(turnRole == TurnRole.TOOL ? 1 : 0);
    RecordBody recordBody =
        new RecordBody(
            Optional.of(turnRole), List.of(turnPart), new TreeMap<>(), Optional.of(said));
    return new CandidateContent(
        new Candidate(
            where.kind(),
            Id.derivedFrom("test", bundle.orElseThrow() + turnRole),
            0,
            where.name(),
            where.priority(),
            CandidateScores.of(where.dialogue() ? 1 : relevance, relevance).withTrust(TRUSTED),
            said,
            age,
            "tools",
            bundle,
            recordBody.hash()),
        recordBody);
  }

  private static List<CandidateContent> distinct(List<CandidateContent> all) {
    var byId = new TreeMap<Id, CandidateContent>();
    all.forEach(candidateContent -> byId.put(candidateContent.candidate().id(), candidateContent));
    return List.copyOf(byId.values());
  }

  private static CandidateContent content(
      int section, String text, double score, double relevance, int age, int id) {
    WindowSection where = SECTIONS.get(section);
    RecordBody recordBody =
        new RecordBody(
            where.kind() == SourceKind.TURN ? Optional.of(TurnRole.USER) : Optional.empty(),
            List.of(TurnPart.text(text)),
            new TreeMap<>(),
            Optional.of(NOW.minusSeconds(age)));
    return new CandidateContent(
        new Candidate(
            where.kind(),
            Id.derivedFrom("test", Integer.toString(id)),
            0,
            where.name(),
            where.priority(),
            scores(where, score, relevance, id),
            NOW.minusSeconds(age),
            id,
            "source" + id % 3,
            Optional.empty(),
            recordBody.hash()),
        recordBody);
  }

  /** Returns scores; those of some notes and artifacts have a quality. */
  private static CandidateScores scores(
      WindowSection where, double score, double relevance, int id) {
    CandidateScores plain =
        CandidateScores.of(where.dialogue() ? 1 : score, relevance).withTrust(TRUSTED);
    boolean judged =
        id % 2 == 0 && (where.kind() == SourceKind.NOTE || where.kind() == SourceKind.ARTIFACT);
    return judged ? plain.withQuality(new SourceQuality(score, relevance, score, 1, false)) : plain;
  }

  /** Returns conflicts between all notes, up to the limit of listed pairs. */
  private static KnownNoteConflicts clique(List<CandidateContent> candidates) {
    List<Id> notes =
        candidates.stream()
            .map(CandidateContent::candidate)
            .filter(candidate -> candidate.kind() == SourceKind.NOTE)
            .map(Candidate::id)
            .sorted()
            .toList();
    List<NoteConflict> pairs =
        notes.stream()
            .flatMap(
                one ->
                    notes.stream()
                        .filter(other -> one.compareTo(other) < 0)
                        .map(
                            other ->
                                new NoteConflict(
                                    NoteConflict.NoteConflictType.SEMANTIC,
                                    one,
                                    other,
                                    one,
                                    "Said first")))
            .toList();
    int told = Math.min(pairs.size(), NoteConflictFinder.PAIRS_BOUND);
    return new KnownNoteConflicts(pairs.subList(0, told), pairs.size() - told);
  }

  @Property(tries = 50)
  @Label("CTX-01, TPR-07: however many notes contradict each other, composing takes few passes")
  void fewPasses(@ForAll @IntRange(min = 900, max = 9000) int budget) {
    List<CandidateContent> notes = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      notes.add(content(4, "Wall number %d is not blue.".formatted(i), 0.9, 0.9, i, i));
    }
    AtomicInteger wholes = new AtomicInteger();
    TokenCounter counter =
        new Counter(
            "characters",
            text -> {
              wholes.addAndGet(text.startsWith("[{") ? 1 : 0);
              return text.length();
            });
    compose(recipe(budget, ContextFormat.TRUST), notes, counter)
        .ifPresent(
            made -> {
              assertThat(wholes).as("what is empty, and what is full").hasValueLessThan(3);
              assertThat(TrustText.of(made.text()).conflicts())
                  .hasSizeLessThanOrEqualTo(2 * NoteConflictFinder.PAIRS_BOUND + 1)
                  .last()
                  .isEqualTo("- 1750 more conflicts among all notes that were found, shown or not");
            });
  }

  private static Optional<ComposedWindow> compose(
      CompositionSettings compositionSettings,
      List<CandidateContent> candidates,
      TokenCounter counter) {
    try {
      return Optional.of(
          WindowComposer.compose(
              compositionSettings.withConflicts(clique(candidates)),
              candidates,
              counter,
              new TokenCountCache(10_000)));
    } catch (ContextException tooSmall) {
      assertThat(tooSmall.code()).isEqualTo(ContextErrorCode.BUDGET_TOO_SMALL);
      return Optional.empty();
    }
  }

  @Property(tries = 300)
  @Label(
      "CTX-01, CTX-11, CTX-12, CTX-23, QUAL-04, PCP-18: the budget and the dosage hold, and every"
          + " token has one place")
  void theBudgetHolds(
      @ForAll("candidates") List<CandidateContent> candidates,
      @ForAll @IntRange(min = 1, max = 3000) int budget,
      @ForAll ContextFormat format,
      @ForAll @IntRange(max = 3) int counter,
      @ForAll boolean dosed) {
    TokenCounter counts = COUNTERS.get(counter);
    compose(recipe(budget, format, dosed), candidates, counts)
        .ifPresent(
            made -> {
              holdsTogether(made);
              if (dosed) {
                isWithinTheDosage(made);
              }
              int whole = made.text().isEmpty() ? 0 : counts.count(made.text());
              assertThat(made.usedTokens()).isEqualTo(whole).isLessThanOrEqualTo(budget);
              int items = made.ledger().stream().mapToInt(LedgerLine::tokens).sum();
              assertThat(items + made.frame()).isEqualTo(made.usedTokens());
              assertThat(made.sections().stream().mapToInt(SectionContent::tokens).sum())
                  .isEqualTo(items);
              assertThat(numbers(made)).doesNotHaveDuplicates();
              assertThat(numbers(made))
                  .containsExactlyInAnyOrderElementsOf(
                      made.ledger().stream()
                          .filter(line -> line.decision().isIncluded())
                          .map(LedgerLine::number)
                          .toList());
              assertThat(made.ledger()).hasSize(candidates.size());
            });
  }

  /**
   * Checks that calls and results are included together, and that incomplete or irrelevant ones are
   * excluded.
   */
  private static void holdsTogether(ComposedWindow made) {
    Map<String, List<LedgerLine>> bundles =
        made.ledger().stream()
            .filter(line -> line.candidate().bundle().isPresent())
            .collect(Collectors.groupingBy(line -> line.candidate().bundle().orElseThrow()));
    bundles.forEach(
        (bundle, lines) -> {
          assertThat(lines.stream().map(line -> line.decision().isIncluded()).distinct())
              .as(bundle)
              .hasSize(1);
          assertThat(
                  ToolCallBundles.isIncomplete(bundle) && lines.getFirst().decision().isIncluded())
              .isFalse();
        });
    assertThat(made.ledger())
        .filteredOn(line -> line.candidate().kind() == SourceKind.SYSTEM)
        .allMatch(line -> line.decision() == InclusionDecision.INCLUDE && line.number() == 1);
    assertThat(made.ledger())
        .filteredOn(line -> line.candidate().scores().quality().isPresent())
        .filteredOn(line -> line.candidate().scores().sortScore() < 0.3)
        .noneMatch(line -> line.decision().isIncluded());
  }

  private static void isWithinTheDosage(ComposedWindow made) {
    assertThat(made.usedTokens()).isLessThanOrEqualTo(DOSAGE.maxTokens());
    assertThat(shown(made, SourceKind.SCOPE)).isLessThanOrEqualTo(DOSAGE.maxScopes());
    assertThat(shown(made, SourceKind.ARTIFACT)).isLessThanOrEqualTo(DOSAGE.maxArtifacts());
    assertThat(shown(made, SourceKind.NOTE)).isLessThanOrEqualTo(DOSAGE.maxNotes());
  }

  private static long shown(ComposedWindow made, SourceKind kind) {
    return made.ledger().stream()
        .filter(line -> line.decision().isIncluded() && line.candidate().kind() == kind)
        .count();
  }

  private static List<Integer> numbers(ComposedWindow made) {
    return made.sections().stream()
        .flatMap(section -> section.sources().stream())
        .map(SectionContent.SectionRecord::number)
        .toList();
  }

  /** Returns the items without the instructions. */
  private static List<Integer> items(ComposedWindow made) {
    return made.ledger().stream()
        .filter(line -> line.decision().isIncluded())
        .filter(line -> line.candidate().kind() != SourceKind.SYSTEM)
        .map(LedgerLine::number)
        .toList();
  }

  @Property(tries = 200)
  @Label("TPR-08, TPR-06: whatever is in, it stands indented behind its label, between two marks")
  void nothingLeavesItsBlock(
      @ForAll("candidates") List<CandidateContent> candidates,
      @ForAll @IntRange(min = 1500, max = 6000) int budget) {
    compose(recipe(budget, ContextFormat.TRUST), candidates, COUNTERS.getFirst())
        .ifPresent(
            made -> {
              TrustText text = TrustText.of(made.text());
              assertThat(text.numbers()).containsExactlyInAnyOrderElementsOf(items(made));
              assertThat(text.items())
                  .allSatisfy(
                      item ->
                          assertThat(item.label())
                              .containsPattern(
                                  " \\(Trust: Old History, (Score|Quality): "
                                      + item.score()
                                      + "\\)"));
              assertThat(text.system()).contains("Be careful.");
            });
  }

  @Property(tries = 300)
  @Label("CTX-08: raising the budget drops an item only for one earlier in the order")
  void raisingTheBudget(
      @ForAll("candidates") List<CandidateContent> candidates,
      @ForAll @IntRange(min = 30, max = 1500) int budget,
      @ForAll @IntRange(min = 1, max = 300) int more,
      @ForAll ContextFormat format,
      @ForAll @IntRange(max = 3) int counter,
      @ForAll boolean dosed) {
    TokenCounter counts = COUNTERS.get(counter);
    Optional<ComposedWindow> less = compose(recipe(budget, format, dosed), candidates, counts);
    Optional<ComposedWindow> larger =
        compose(recipe(budget + more, format, dosed), candidates, counts);
    if (less.isEmpty() || larger.isEmpty()) {
      return;
    }
    for (int i = 0; i < less.get().ledger().size(); i++) {
      int before = less.get().ledger().get(i).tokens();
      int after = larger.get().ledger().get(i).tokens();
      assertThat(after).as("the first difference is a gain").isGreaterThanOrEqualTo(before);
      if (after > before) {
        return;
      }
    }
  }

  @Property(tries = 200)
  @Label(
      "CTX-08, CTX-24, QUAL-06: the order of finding changes nothing, nor does any ranking lose a"
          + " line")
  void permutations(
      @ForAll("candidates") List<CandidateContent> candidates,
      @ForAll long seed,
      @ForAll @IntRange(max = 1) int ranked) {
    ContextConfig.WindowRankingSettings windowRankingSettings =
        new ContextConfig.WindowRankingSettings(
            0.5 * ranked, 0.2 * ranked, 0.3 * ranked, Duration.ofDays(1));
    CompositionSettings compositionSettings =
        recipe(800, ContextFormat.MARKDOWN, windowRankingSettings);
    List<CandidateContent> shuffled = new ArrayList<>(candidates);
    Collections.shuffle(shuffled, new Random(seed));
    Optional<ComposedWindow> one = compose(compositionSettings, candidates, COUNTERS.getFirst());
    assertThat(compose(compositionSettings, shuffled, COUNTERS.getFirst())).isEqualTo(one);
    one.ifPresent(made -> assertThat(made.ledger()).hasSize(candidates.size()));
  }

  @Property(tries = 100)
  @Label("CTX-09: what is not relevant enough is left out whatever the budget, with that reason")
  void thresholdBeforeBudget(
      @ForAll("candidates") List<CandidateContent> candidates,
      @ForAll @IntRange(min = 30, max = 3000) int budget) {
    compose(recipe(budget, ContextFormat.XML), candidates, COUNTERS.getFirst()).stream()
        .flatMap(made -> made.ledger().stream())
        .filter(line -> line.candidate().scores().relevance() < 0.2)
        .filter(line -> line.candidate().bundle().filter(ToolCallBundles::isIncomplete).isEmpty())
        .forEach(
            line -> {
              assertThat(line.rule()).isEqualTo("relevance_threshold");
              assertThat(line.reason())
                  .startsWith("Below relevance threshold (0.1")
                  .endsWith(" < 0.20)");
            });
  }

  @Property(tries = 50)
  @Label("CTX-08: redundancy, diversity and recency change the order as they say")
  void rankings(@ForAll @IntRange(min = 1, max = 1_000_000) int seed) {
    CandidateContent first =
        content(4, "Alice likes green tea very much.", 0.9, 0.9, 500_000, seed);
    CandidateContent repeated =
        content(4, "Alice likes green tea much.", 0.89, 0.9, 400_000, seed + 1);
    CandidateContent other = content(4, "Bob plays the violin.", 0.7, 0.9, 10, seed + 2);
    List<CandidateContent> all = List.of(other, repeated, first);
    assertThat(order(all, 0, 0, 0)).containsExactly(first, repeated, other);
    assertThat(order(all, 0.5, 0, 0)).containsExactly(first, other, repeated);
    assertThat(order(all, 0, 0, 1)).first().isEqualTo(other);
    CandidateContent same = content(4, "Carol sails.", 0.85, 0.9, 100, seed + 3);
    List<CandidateContent> sources = List.of(first, same, other);
    assertThat(order(sources, 0, 0.5, 0)).containsExactly(first, other, same);
  }

  private static List<CandidateContent> order(
      List<CandidateContent> all, double redundancy, double diversity, double recency) {
    return new CandidateSorter(
            new ContextConfig.WindowRankingSettings(
                redundancy, diversity, recency, Duration.ofDays(1)),
            NOW,
            Set.of())
        .sort(all);
  }
}
