package dev.caliber.memory.context;

import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.PcpConfig.Dosage;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An assembled context with its ledger. It quotes no record: the text is made again from the
 * records.
 *
 * @param inputHash of everything that went in
 * @param textHash of the rendered text
 * @param frame what the rendered whole takes beside its items' tokens
 * @param ledger every candidate, in the order in which room was offered
 */
public record Window(
    Id id,
    Id trajectory,
    Inputs inputs,
    Recipe recipe,
    String inputHash,
    String textHash,
    int usedTokens,
    int frame,
    List<SectionUse> sections,
    List<LedgerLine> ledger,
    Instant assembledAt,
    Optional<Instant> expiresAt) {

  public static final Table<Window> TABLE =
      Table.of("context_window", "Assembled contexts with their ledgers.", Window.class, Window::id)
          .text("trajectory", window -> window.trajectory.toString())
          .instant("assembled_at", Window::assembledAt)
          .integer("max_tokens", window -> window.recipe.budget())
          .integer("used_tokens", Window::usedTokens)
          .integer("section_count", window -> window.sections.size())
          .instant("expires_at", window -> window.expiresAt.orElse(null))
          .index("trajectory", "assembled_at")
          .index("expires_at")
          .view(
              "debug_context",
              """
              SELECT space, "key" AS id, trajectory, assembled_at, used_tokens, max_tokens,
              section_count FROM context_window ORDER BY assembled_at DESC LIMIT 100""");

  /**
   * What was asked, and of what.
   *
   * @param sequence the last commit that was seen
   * @param configuration the hash of what the space has deployed
   * @param generations the indexes that answered, by table
   * @param degraded why the answer is less than it could be
   * @param subjects the subjects that were named beside the trajectory's own
   * @param otherSubjects how many records were passed over that belong to another subject; 1000 say
   *     at least 1000
   */
  public record Inputs(
      Optional<String> query,
      Optional<String> model,
      Optional<Instant> asOf,
      long sequence,
      Optional<String> configuration,
      List<String> generations,
      Optional<String> degraded,
      Optional<SubjectScope> subjects,
      Optional<Integer> otherSubjects) {
    public Inputs {
      generations = List.copyOf(generations);
    }

    void addTo(Hashing.Fields fields) {
      fields.each(query, Hashing.Fields::text).each(model, Hashing.Fields::text);
      fields.each(asOf, Hashing.Fields::time).number(sequence);
      fields.each(configuration, Hashing.Fields::text);
      fields.each(generations, Hashing.Fields::text).each(degraded, Hashing.Fields::text);
      subjects.ifPresent(
          named ->
              fields.text("subjects").flag(named.all()).each(sorted(named), Hashing.Fields::text));
      otherSubjects.ifPresent(count -> fields.text("other subjects").number(count));
    }

    private static List<String> sorted(SubjectScope named) {
      return named.subjects().stream().sorted().toList();
    }

    /** Of all that goes into a window: what was asked, the recipe, every candidate in its order. */
    String hash(Id trajectory, Recipe recipe, List<LedgerLine> ledger) {
      Hashing.Fields fields = Hashing.fields("window inputs").id(trajectory);
      addTo(fields);
      return fields
          .text(recipe.hash())
          .each(ledger, (into, line) -> line.candidate().addTo(into))
          .hash();
    }
  }

  public Window {
    sections = List.copyOf(sections);
    ledger = List.copyOf(ledger);
  }

  /** What it was asked for, or was held to where that is less. */
  public int maxTokens() {
    return recipe.effective().budget();
  }

  Window kept(Id newId, Optional<Instant> until) {
    return new Window(
        newId,
        trajectory,
        inputs,
        recipe,
        inputHash,
        textHash,
        usedTokens,
        frame,
        sections,
        ledger,
        assembledAt,
        until);
  }

  /** The same, whatever the settings say about windows. */
  public Window forGood() {
    return kept(id, Optional.empty());
  }

  /** Whether its time is not over then; it may be stored a while longer. */
  public boolean isKept(Instant at) {
    return expiresAt.filter(end -> !end.isAfter(at)).isEmpty();
  }

  /** Whether it holds no more than this. */
  public boolean isWithin(Dosage limits) {
    return usedTokens <= limits.maxContextTokens()
        && shown(SourceKind.SCOPE) <= limits.maxScopes()
        && shown(SourceKind.ARTIFACT) <= limits.maxArtifacts()
        && shown(SourceKind.NOTE) <= limits.maxNotes();
  }

  private long shown(SourceKind kind) {
    return ledger.stream()
        .filter(line -> line.decision().isIn() && line.candidate().kind() == kind)
        .count();
  }

  /** The same candidates by another recipe. */
  Window composedAgain(Recipe other, Composed composed, String newTextHash, Instant now) {
    String hash = Hashing.hash("composed again", inputHash, other.hash());
    return new Window(
        Id.deterministic("window", hash),
        trajectory,
        inputs,
        other,
        hash,
        newTextHash,
        composed.usedTokens(),
        composed.frame(),
        composed.sections(),
        composed.ledger(),
        now,
        Optional.empty());
  }

  /** The record that a citation {@code [n]} means, if the window shows it under its number. */
  public Optional<LedgerLine> cited(int number) {
    return number < 1 || number > ledger.size()
        ? Optional.empty()
        : Optional.of(ledger.get(number - 1)).filter(LedgerLine::isSource).filter(this::isNumbered);
  }

  /** Messages are handed on as they were said. */
  private boolean isNumbered(LedgerLine line) {
    return switch (recipe.format()) {
      case OPENAI, ANTHROPIC -> !recipe.dialogues().contains(line.candidate().section());
      case XML, MARKDOWN, TRUST -> true;
    };
  }
}
