package dev.caliber.memory.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.kernel.config.PcpConfig.Dosage;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.config.TrustRule;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.spi.TokenCounter;
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

/** What holds of every window, whatever is offered and whoever counts. */
final class CompositionProperties {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final ContextConfig STARTER = RuntimeConfig.starter().context();

  private record Counter(String name, ToIntFunction<String> counts) implements TokenCounter {
    @Override
    public int count(String text) {
      return counts.applyAsInt(text);
    }
  }

  /** The last one counts more for a whole than for its parts: every border of lines costs. */
  private static final List<TokenCounter> COUNTERS =
      List.of(
          TokenCounter.estimate(new TokenEstimate(3.5)),
          new Counter("characters", text -> text.codePointCount(0, text.length())),
          new Counter("words", text -> text.split("\\s+").length),
          new Counter(
              "borders", text -> text.length() / 3 + 2 * (text.split("\n.", -1).length - 1) + 1));

  private static final List<Section> SECTIONS =
      List.of(
          section("system", SourceKind.SYSTEM, 100, 0, false),
          section("conversation", SourceKind.TURN, 80, 0, true),
          section("recalled", SourceKind.TURN, 70, 0.3, false),
          section("artifacts", SourceKind.ARTIFACT, 60, 0.1, false),
          section("notes", SourceKind.NOTE, 50, 0.2, false),
          section("history", SourceKind.SCOPE, 50, 0.1, false));

  private static final Trust TRUSTED = new Trust(TrustClass.OLD, 40, "source");
  private static final Dosage DOSAGE = new Dosage(900, 1, 2, 3, 75, 0.5);

  private static final TrustPrompt PROMPT =
      TrustPrompt.of(
          new TrustRule(
              STARTER.assembly().trust().levels(),
              Duration.ofDays(7),
              Duration.ofDays(30),
              120,
              List.of("Be careful.")),
          Optional.of("What?\nNow?"));

  private static Section section(
      String name, SourceKind kind, int priority, double reserve, boolean dialogue) {
    int most = name.equals("artifacts") ? 200 : Integer.MAX_VALUE;
    return Section.of(name, kind, priority, most, reserve, dialogue);
  }

  private static Recipe recipe(int budget, ContextFormat format, ContextConfig.Ranking ranking) {
    return new Recipe(
        Recipe.COMPOSITION,
        budget,
        "",
        STARTER.fillRatio(),
        0.2,
        ranking,
        new ContextConfig.Shortening(40, 10),
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

  private static Recipe recipe(int budget, ContextFormat format) {
    return recipe(budget, format, STARTER.assembly().ranking());
  }

  /** The same, held to a dosage or not. */
  private static Recipe recipe(int budget, ContextFormat format, boolean dosed) {
    Recipe recipe = recipe(budget, format);
    return dosed ? recipe.dosed(DOSAGE) : recipe;
  }

  @Provide
  Arbitrary<List<Content>> candidates() {
    Arbitrary<String> text =
        Arbitraries.oneOf(
                Arbitraries.strings()
                    .withChars("abc defg. hij?! \n<>&\"'äß漢字[1]")
                    .ofMinLength(1)
                    .ofMaxLength(300),
                Arbitraries.of("Tea. ", "漢字と🙂。 ", "A longer sentence that says a little more. ")
                    .flatMap(piece -> Arbitraries.integers().between(1, 40).map(piece::repeat)))
            .map(made -> made.isBlank() ? "x" : made);
    Arbitrary<Content> one =
        Combinators.combine(
                Arbitraries.integers().between(1, 5),
                text,
                Arbitraries.doubles().between(0, 1).ofScale(2),
                Arbitraries.doubles().between(0.1, 1).ofScale(2),
                Arbitraries.integers().between(0, 1_000_000),
                Arbitraries.integers().between(0, 1_000_000_000))
            .as(CompositionProperties::content);
    Arbitrary<List<Content>> tools =
        Combinators.combine(
                Arbitraries.integers().between(1, 2),
                text,
                Arbitraries.doubles().between(0.1, 1).ofScale(2),
                Arbitraries.integers().between(0, 1_000_000),
                Arbitraries.integers().between(0, 1_000_000_000))
            .as(CompositionProperties::tools);
    Arbitrary<List<Content>> instructions =
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

  private static List<Content> instructions(String text) {
    return text.isEmpty()
        ? List.of()
        : List.of(Instructions.of(text, SECTIONS.getFirst().priority(), NOW));
  }

  /** A call and its result; of some the result is missing. */
  private static List<Content> tools(int section, String text, double relevance, int age, int id) {
    String call = "c" + id;
    boolean torn = id % 5 == 0;
    Optional<String> bundle = Optional.of((torn ? "torn " : "tools ") + id);
    Content asked =
        turn(
            section, Role.ASSISTANT, new Part.ToolCall(call, "find", "{}"), relevance, age, bundle);
    Content answered =
        turn(section, Role.TOOL, new Part.ToolResult(call, text, false), relevance, age, bundle);
    return torn ? List.of(asked) : List.of(asked, answered);
  }

  private static Content turn(
      int section, Role role, Part part, double relevance, int age, Optional<String> bundle) {
    Section where = SECTIONS.get(section);
    Instant said = NOW.minusSeconds(age).plusSeconds(role == Role.TOOL ? 1 : 0);
    Body body = new Body(Optional.of(role), List.of(part), new TreeMap<>(), Optional.of(said));
    return new Content(
        new Candidate(
            where.kind(),
            Id.deterministic("test", bundle.orElseThrow() + role),
            0,
            where.name(),
            where.priority(),
            Scores.of(where.dialogue() ? 1 : relevance, relevance).trusted(TRUSTED),
            said,
            age,
            "tools",
            bundle,
            body.hash()),
        body);
  }

  private static List<Content> distinct(List<Content> all) {
    var byId = new TreeMap<Id, Content>();
    all.forEach(content -> byId.put(content.candidate().id(), content));
    return List.copyOf(byId.values());
  }

  private static Content content(
      int section, String text, double score, double relevance, int age, int id) {
    Section where = SECTIONS.get(section);
    Body body =
        new Body(
            where.kind() == SourceKind.TURN ? Optional.of(Role.USER) : Optional.empty(),
            List.of(Part.text(text)),
            new TreeMap<>(),
            Optional.of(NOW.minusSeconds(age)));
    return new Content(
        new Candidate(
            where.kind(),
            Id.deterministic("test", Integer.toString(id)),
            0,
            where.name(),
            where.priority(),
            scores(where, score, relevance, id),
            NOW.minusSeconds(age),
            id,
            "source" + id % 3,
            Optional.empty(),
            body.hash()),
        body);
  }

  /** Some notes and artifacts are judged. */
  private static Scores scores(Section where, double score, double relevance, int id) {
    Scores plain = Scores.of(where.dialogue() ? 1 : score, relevance).trusted(TRUSTED);
    boolean judged =
        id % 2 == 0 && (where.kind() == SourceKind.NOTE || where.kind() == SourceKind.ARTIFACT);
    return judged ? plain.judged(new Quality(score, relevance, score, 1, false)) : plain;
  }

  /** All notes contradict each other, as far as that is told. */
  private static NoteConflicts.Known clique(List<Content> candidates) {
    List<Id> notes =
        candidates.stream()
            .map(Content::candidate)
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
                                    NoteConflict.Type.SEMANTIC, one, other, one, "Said first")))
            .toList();
    int told = Math.min(pairs.size(), NoteConflicts.PAIRS_BOUND);
    return new NoteConflicts.Known(pairs.subList(0, told), pairs.size() - told);
  }

  @Property(tries = 50)
  @Label("CTX-01, TPR-07: however many notes contradict each other, composing takes few passes")
  void fewPasses(@ForAll @IntRange(min = 900, max = 9000) int budget) {
    List<Content> notes = new ArrayList<>();
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
                  .hasSizeLessThanOrEqualTo(2 * NoteConflicts.PAIRS_BOUND + 1)
                  .last()
                  .isEqualTo("- 1750 more among all that was found, shown or not");
            });
  }

  private static Optional<Composed> compose(
      Recipe recipe, List<Content> candidates, TokenCounter counter) {
    try {
      return Optional.of(
          Composition.of(
              recipe.knowing(clique(candidates)), candidates, counter, new Counts(10_000)));
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
      @ForAll("candidates") List<Content> candidates,
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
              assertThat(made.sections().stream().mapToInt(SectionUse::tokens).sum())
                  .isEqualTo(items);
              assertThat(numbers(made)).doesNotHaveDuplicates();
              assertThat(numbers(made))
                  .containsExactlyInAnyOrderElementsOf(
                      made.ledger().stream()
                          .filter(line -> line.decision().isIn())
                          .map(LedgerLine::number)
                          .toList());
              assertThat(made.ledger()).hasSize(candidates.size());
            });
  }

  /** Calls and results are both in or both out; what is torn and what is poor is out. */
  private static void holdsTogether(Composed made) {
    Map<String, List<LedgerLine>> bundles =
        made.ledger().stream()
            .filter(line -> line.candidate().bundle().isPresent())
            .collect(Collectors.groupingBy(line -> line.candidate().bundle().orElseThrow()));
    bundles.forEach(
        (bundle, lines) -> {
          assertThat(lines.stream().map(line -> line.decision().isIn()).distinct())
              .as(bundle)
              .hasSize(1);
          assertThat(Bundles.isTorn(bundle) && lines.getFirst().decision().isIn()).isFalse();
        });
    assertThat(made.ledger())
        .filteredOn(line -> line.candidate().kind() == SourceKind.SYSTEM)
        .allMatch(line -> line.decision() == Decision.INCLUDE && line.number() == 1);
    assertThat(made.ledger())
        .filteredOn(line -> line.candidate().scores().quality().isPresent())
        .filteredOn(line -> line.candidate().scores().rank() < 0.3)
        .noneMatch(line -> line.decision().isIn());
  }

  private static void isWithinTheDosage(Composed made) {
    assertThat(made.usedTokens()).isLessThanOrEqualTo(DOSAGE.maxContextTokens());
    assertThat(shown(made, SourceKind.SCOPE)).isLessThanOrEqualTo(DOSAGE.maxScopes());
    assertThat(shown(made, SourceKind.ARTIFACT)).isLessThanOrEqualTo(DOSAGE.maxArtifacts());
    assertThat(shown(made, SourceKind.NOTE)).isLessThanOrEqualTo(DOSAGE.maxNotes());
  }

  private static long shown(Composed made, SourceKind kind) {
    return made.ledger().stream()
        .filter(line -> line.decision().isIn() && line.candidate().kind() == kind)
        .count();
  }

  private static List<Integer> numbers(Composed made) {
    return made.sections().stream()
        .flatMap(section -> section.sources().stream())
        .map(SectionUse.Source::number)
        .toList();
  }

  /** Without the instructions, which are no item. */
  private static List<Integer> items(Composed made) {
    return made.ledger().stream()
        .filter(line -> line.decision().isIn())
        .filter(line -> line.candidate().kind() != SourceKind.SYSTEM)
        .map(LedgerLine::number)
        .toList();
  }

  @Property(tries = 200)
  @Label("TPR-08, TPR-06: whatever is in, it stands indented behind its label, between two marks")
  void nothingLeavesItsBlock(
      @ForAll("candidates") List<Content> candidates,
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
      @ForAll("candidates") List<Content> candidates,
      @ForAll @IntRange(min = 30, max = 1500) int budget,
      @ForAll @IntRange(min = 1, max = 300) int more,
      @ForAll ContextFormat format,
      @ForAll @IntRange(max = 3) int counter,
      @ForAll boolean dosed) {
    TokenCounter counts = COUNTERS.get(counter);
    Optional<Composed> less = compose(recipe(budget, format, dosed), candidates, counts);
    Optional<Composed> larger = compose(recipe(budget + more, format, dosed), candidates, counts);
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
      @ForAll("candidates") List<Content> candidates,
      @ForAll long seed,
      @ForAll @IntRange(max = 1) int ranked) {
    ContextConfig.Ranking ranking =
        new ContextConfig.Ranking(0.5 * ranked, 0.2 * ranked, 0.3 * ranked, Duration.ofDays(1));
    Recipe recipe = recipe(800, ContextFormat.MARKDOWN, ranking);
    List<Content> shuffled = new ArrayList<>(candidates);
    Collections.shuffle(shuffled, new Random(seed));
    Optional<Composed> one = compose(recipe, candidates, COUNTERS.getFirst());
    assertThat(compose(recipe, shuffled, COUNTERS.getFirst())).isEqualTo(one);
    one.ifPresent(made -> assertThat(made.ledger()).hasSize(candidates.size()));
  }

  @Property(tries = 100)
  @Label("CTX-09: what is not relevant enough is left out whatever the budget, with that reason")
  void thresholdBeforeBudget(
      @ForAll("candidates") List<Content> candidates,
      @ForAll @IntRange(min = 30, max = 3000) int budget) {
    compose(recipe(budget, ContextFormat.XML), candidates, COUNTERS.getFirst()).stream()
        .flatMap(made -> made.ledger().stream())
        .filter(line -> line.candidate().scores().relevance() < 0.2)
        .filter(line -> line.candidate().bundle().filter(Bundles::isTorn).isEmpty())
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
    Content first = content(4, "Alice likes green tea very much.", 0.9, 0.9, 500_000, seed);
    Content repeated = content(4, "Alice likes green tea much.", 0.89, 0.9, 400_000, seed + 1);
    Content other = content(4, "Bob plays the violin.", 0.7, 0.9, 10, seed + 2);
    List<Content> all = List.of(other, repeated, first);
    assertThat(order(all, 0, 0, 0)).containsExactly(first, repeated, other);
    assertThat(order(all, 0.5, 0, 0)).containsExactly(first, other, repeated);
    assertThat(order(all, 0, 0, 1)).first().isEqualTo(other);
    Content same = content(4, "Carol sails.", 0.85, 0.9, 100, seed + 3);
    List<Content> sources = List.of(first, same, other);
    assertThat(order(sources, 0, 0.5, 0)).containsExactly(first, other, same);
  }

  private static List<Content> order(
      List<Content> all, double redundancy, double diversity, double recency) {
    return new Ordering(
            new ContextConfig.Ranking(redundancy, diversity, recency, Duration.ofDays(1)),
            NOW,
            Set.of())
        .of(all);
  }
}
