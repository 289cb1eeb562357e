package dev.caliber.memory.context.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.context.budget.TokenCountCache;
import dev.caliber.memory.context.budget.WindowComposer;
import dev.caliber.memory.context.window.Candidate;
import dev.caliber.memory.context.window.CandidateScores;
import dev.caliber.memory.context.window.ComposedWindow;
import dev.caliber.memory.context.window.CompositionSettings;
import dev.caliber.memory.context.window.InclusionDecision;
import dev.caliber.memory.context.window.LedgerLine;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.WindowSection;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.view.MemoryConfig;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Allocation of the budget. A token is an x here, so that labels and headings take none. */
final class FillingTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final ContextConfig STARTER = RuntimeConfig.starter().context();
  private static final WindowSection CONVERSATION = section("conversation", SourceKind.TURN, 80, 0);
  private static final WindowSection ARTIFACTS =
      section("artifacts", SourceKind.ARTIFACT, 60, 0.05);
  private static final WindowSection NOTES = section("notes", SourceKind.NOTE, 50, 0.2);
  private static final int LAST = 90;

  private static WindowSection section(String name, SourceKind kind, int priority, double reserve) {
    return WindowSection.of(
        name, kind, priority, Integer.MAX_VALUE, reserve, kind == SourceKind.TURN);
  }

  private record Counter(String name, ToIntFunction<String> counts) implements TokenCounter {
    @Override
    public int count(String text) {
      return counts.applyAsInt(text);
    }
  }

  private static final TokenCounter X =
      new Counter("x", text -> (int) text.chars().filter(each -> each == 'x').count());

  private static CompositionSettings recipe(int budget) {
    return recipe(budget, ContextFormat.MARKDOWN);
  }

  private static CompositionSettings recipe(int budget, ContextFormat format) {
    return recipe(budget, format, 0);
  }

  private static CompositionSettings recipe(int budget, ContextFormat format, double minimum) {
    return new CompositionSettings(
        CompositionSettings.COMPOSITION,
        budget,
        "",
        STARTER.fillRatio(),
        minimum,
        STARTER.assembly().ranking(),
        STARTER.assembly().shortening(),
        MemoryConfig.starter().text(),
        format,
        false,
        "x",
        1,
        1,
        NOW,
        List.of(CONVERSATION, ARTIFACTS, NOTES),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Younger items have lower ages, and precede others of their priority. */
  private static CandidateContent content(
      WindowSection windowSection, int priority, int age, String text) {
    RecordBody recordBody =
        new RecordBody(
            windowSection.kind() == SourceKind.TURN ? Optional.of(TurnRole.USER) : Optional.empty(),
            List.of(TurnPart.text(text)),
            new TreeMap<>(),
            Optional.empty());
    return new CandidateContent(
        candidate(windowSection, priority, age, CandidateScores.of(1, 1), recordBody), recordBody);
  }

  private static Candidate candidate(
      WindowSection windowSection,
      int priority,
      int age,
      CandidateScores candidateScores,
      RecordBody recordBody) {
    return new Candidate(
        windowSection.kind(),
        Id.derivedFrom("test", windowSection.name() + age),
        0,
        windowSection.name(),
        priority,
        candidateScores,
        NOW.minusSeconds(age),
        0,
        "test",
        Optional.empty(),
        recordBody.hash());
  }

  /** Returns content of this many tokens, with unique words. */
  private static CandidateContent of(WindowSection windowSection, int age, int tokens) {
    return content(windowSection, windowSection.priority(), age, age + " " + "x".repeat(tokens));
  }

  private static CandidateContent last(int tokens) {
    return content(CONVERSATION, LAST, 0, "x".repeat(tokens));
  }

  private static ComposedWindow compose(int budget, CandidateContent... candidates) {
    return compose(recipe(budget), X, candidates);
  }

  private static ComposedWindow compose(
      CompositionSettings compositionSettings,
      TokenCounter counter,
      CandidateContent... candidates) {
    return WindowComposer.compose(
        compositionSettings, List.of(candidates), counter, new TokenCountCache(1000));
  }

  private static LedgerLine line(ComposedWindow made, CandidateContent candidateContent) {
    return made.ledger().stream()
        .filter(line -> line.candidate().equals(candidateContent.candidate()))
        .findFirst()
        .orElseThrow();
  }

  private static List<Integer> tokens(ComposedWindow made) {
    return made.ledger().stream().map(LedgerLine::tokens).toList();
  }

  @Test
  @DisplayName("CTX-08: what the user has said last gives way to no reserve")
  void theLastWordsComeFirst() {
    CandidateContent note = of(NOTES, 1, 10);
    ComposedWindow made = compose(100, last(93), note, of(NOTES, 2, 10));
    assertThat(line(made, last(93)).decision()).isEqualTo(InclusionDecision.INCLUDE);
    assertThat(line(made, note).rule()).isEqualTo("budget_limit");
    CandidateContent long1 = content(CONVERSATION, LAST, 0, "x".repeat(9) + ". ");
    CandidateContent words =
        content(CONVERSATION, LAST, 0, long1.body().plainText().repeat(90) + "x?");
    assertThat(line(compose(1000, words, note, of(NOTES, 2, 300)), words).decision())
        .as("a long one is not cut for a reserve")
        .isEqualTo(InclusionDecision.INCLUDE);
  }

  @Test
  @DisplayName("CTX-10: a reason names the sections for which room is kept")
  void reservesAreNamed() {
    CandidateContent older = of(CONVERSATION, 1, 30);
    ComposedWindow made =
        compose(100, last(50), older, of(ARTIFACTS, 2, 5), of(NOTES, 3, 10), of(NOTES, 4, 10));
    assertThat(line(made, older).reason())
        .isEqualTo(
            "Budget exceeded (50/100 tokens), 5 kept for artifacts, 20 kept for notes: takes 30,"
                + " 25 were left");
    assertThat(tokens(made)).containsExactly(50, 0, 5, 10, 10);
  }

  @Test
  @DisplayName(
      "CTX-08, CTX-17: a reserve that no item fits into stays empty, and the ledger says so")
  void reservesAreNotLent() {
    CandidateContent older = of(CONVERSATION, 1, 19);
    CandidateContent note = of(NOTES, 2, 52);
    ComposedWindow less = compose(170, last(119), older, note);
    assertThat(tokens(less)).containsExactly(119, 0, 0);
    assertThat(line(less, older).reason())
        .isEqualTo("Budget exceeded (119/170 tokens), 34 kept for notes: takes 19, 17 were left");
    assertThat(line(less, note).reason())
        .isEqualTo("Budget exceeded (119/170 tokens): takes 52, 51 were left");
    assertThat(tokens(compose(171, last(119), older, note)))
        .as("the turn would have gone again for a note, which comes after it")
        .containsExactly(119, 0, 52);
    assertThat(tokens(compose(1000, last(119), older, note)))
        .as("there is room for all")
        .containsExactly(119, 19, 52);
  }

  @Test
  @DisplayName("CTX-17: nothing is kept for what is said already")
  void nothingIsKeptForNobody() {
    CandidateContent older = of(CONVERSATION, 1, 19);
    CandidateContent note = of(NOTES, 2, 10);
    CandidateContent again = content(NOTES, NOTES.priority(), 3, note.body().plainText());
    assertThat(tokens(compose(110, last(81), older, note, again)))
        .as("another one has the same words")
        .containsExactly(81, 19, 10, 0);
    assertThat(tokens(compose(110, last(81), older, note, of(NOTES, 3, 11))))
        .containsExactly(81, 0, 10, 11);
  }

  @Test
  @DisplayName("CTX-20: what was kept for a section it has, however full the window is")
  void whatWasKeptIsGiven() {
    CandidateContent note = of(NOTES, 2, 3);
    assertThat(tokens(compose(100, last(87), of(CONVERSATION, 1, 10), note)))
        .containsExactly(87, 10, 3);
  }

  @Test
  @DisplayName("CTX-10: what is in already is not said again, though it was shortened")
  void shortenedOnce() {
    String text = "xxxxxxxxx. ".repeat(60);
    CandidateContent artifact = content(ARTIFACTS, ARTIFACTS.priority(), 1, text);
    CandidateContent note = content(NOTES, NOTES.priority(), 2, text);
    ComposedWindow made = compose(400, artifact, note, of(NOTES, 3, 30));
    assertThat(line(made, artifact).rule()).isEqualTo("truncated");
    assertThat(line(made, note).reason()).isEqualTo("Says the same as [1]");
  }

  @Test
  @DisplayName("CTX-09, CTX-24: reasons are the same wherever a window is made")
  void reasonsHaveNoLocale() {
    CandidateContent note = of(NOTES, 1, 5);
    CandidateContent far =
        new CandidateContent(
            candidate(NOTES, NOTES.priority(), 1, CandidateScores.of(1, 0.1), note.body()),
            note.body());
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      ComposedWindow made = compose(recipe(100, ContextFormat.MARKDOWN, 0.25), X, far);
      assertThat(made.ledger().getFirst().reason())
          .isEqualTo("Below relevance threshold (0.10 < 0.25)");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  @DisplayName("CTX-10: a turn that is cut off stays so behind one that does not fit")
  void theFlowHasNoGaps() {
    CandidateContent large = of(CONVERSATION, 1, 52);
    CandidateContent small = of(CONVERSATION, 2, 5);
    ComposedWindow made = compose(170, last(119), large, small, of(NOTES, 4, 60));
    assertThat(tokens(made)).containsExactly(119, 0, 0, 0);
    assertThat(line(made, large).reason()).contains(", 34 kept for notes: takes 52, 17 were left");
    assertThat(line(made, small).rule()).isEqualTo("conversation_truncated");
  }

  @Test
  @DisplayName("CTX-01, CTX-25: a window that holds messages alone counts no system text")
  void messagesAlone() {
    for (ContextFormat format : List.of(ContextFormat.OPENAI, ContextFormat.ANTHROPIC)) {
      TokenCounter characters = new Counter("characters", String::length);
      CandidateContent turn = content(CONVERSATION, LAST, 0, "How are you?");
      int used = compose(recipe(1000, format), characters, turn).usedTokens();
      ComposedWindow just = compose(recipe(used + 1, format), characters, turn);
      assertThat(just.usedTokens()).isEqualTo(used);
      assertThat(just.text()).contains("How are you?");
    }
  }
}
