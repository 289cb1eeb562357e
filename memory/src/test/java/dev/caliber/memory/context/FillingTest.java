package dev.caliber.memory.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.spi.TokenCounter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who gets room. A token is an x here, so that labels and headings take none. */
final class FillingTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final ContextConfig STARTER = RuntimeConfig.starter().context();
  private static final Section CONVERSATION = section("conversation", SourceKind.TURN, 80, 0);
  private static final Section ARTIFACTS = section("artifacts", SourceKind.ARTIFACT, 60, 0.05);
  private static final Section NOTES = section("notes", SourceKind.NOTE, 50, 0.2);
  private static final int LAST = 90;

  private static Section section(String name, SourceKind kind, int priority, double reserve) {
    return Section.of(
        name, kind, priority, Integer.MAX_VALUE, reserve, kind == SourceKind.TURN);
  }

  private static TokenCounter counter() {
    return new TokenCounter() {
      @Override
      public String name() {
        return "x";
      }

      @Override
      public int count(String text) {
        return (int) text.chars().filter(each -> each == 'x').count();
      }
    };
  }

  private static Recipe recipe(int budget) {
    return new Recipe(
        Recipe.COMPOSITION,
        budget,
        "",
        STARTER.fillRatio(),
        0,
        STARTER.assembly().ranking(),
        STARTER.assembly().shortening(),
        MemoryConfig.starter().text(),
        ContextFormat.MARKDOWN,
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

  /** Younger ones have lower ages, and come before others of their priority. */
  private static Content content(Section section, int priority, int age, String text) {
    Body body =
        new Body(
            section.kind() == SourceKind.TURN ? Optional.of(Role.USER) : Optional.empty(),
            List.of(Part.text(text)),
            new TreeMap<>(),
            Optional.empty());
    return new Content(
        new Candidate(
            section.kind(),
            Id.deterministic("test", section.name() + age),
            0,
            section.name(),
            priority,
            Scores.of(1, 1),
            NOW.minusSeconds(age),
            0,
            "test",
            Optional.empty(),
            body.hash()),
        body);
  }

  /** As many tokens, in words of their own. */
  private static Content of(Section section, int age, int tokens) {
    return content(section, section.priority(), age, age + " " + "x".repeat(tokens));
  }

  private static Content last(int tokens) {
    return content(CONVERSATION, LAST, 0, "x".repeat(tokens));
  }

  private static Composed compose(int budget, Content... candidates) {
    return Composition.of(recipe(budget), List.of(candidates), counter(), new Counts(1000));
  }

  private static LedgerLine line(Composed made, Content content) {
    return made.ledger().stream()
        .filter(line -> line.candidate().equals(content.candidate()))
        .findFirst()
        .orElseThrow();
  }

  private static List<Integer> tokens(Composed made) {
    return made.ledger().stream().map(LedgerLine::tokens).toList();
  }

  @Test
  @DisplayName("CTX-08: what the user has said last gives way to no reserve")
  void theLastWordsComeFirst() {
    Content note = of(NOTES, 1, 10);
    Composed made = compose(100, last(95), note, of(NOTES, 2, 10));
    assertThat(line(made, last(95)).decision()).isEqualTo(Decision.INCLUDE);
    assertThat(line(made, note).rule()).isEqualTo("budget_limit");
    Content long1 = content(CONVERSATION, LAST, 0, "x".repeat(9) + ". ");
    Content words = content(CONVERSATION, LAST, 0, long1.body().words().repeat(90) + "x?");
    assertThat(line(compose(1000, words, note, of(NOTES, 2, 300)), words).decision())
        .as("a long one is not cut for a reserve")
        .isEqualTo(Decision.INCLUDE);
  }

  @Test
  @DisplayName("CTX-10: a reason names the sections for which room is kept")
  void reservesAreNamed() {
    Content older = of(CONVERSATION, 1, 30);
    Composed made =
        compose(100, last(50), older, of(ARTIFACTS, 2, 5), of(NOTES, 3, 10), of(NOTES, 4, 10));
    assertThat(line(made, older).reason())
        .isEqualTo(
            "Budget exceeded (50/100 tokens), 5 kept for artifacts, 20 kept for notes: takes 30,"
                + " 25 were left");
    assertThat(tokens(made)).containsExactly(50, 0, 5, 10, 10);
  }
}
