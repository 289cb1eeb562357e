package dev.caliber.memory.context.window;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ContextIntegrityConfig.WindowLimits;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Assembled context with its ledger. It contains no text of records: the text is composed again
 * from them.
 *
 * @param inputHash hash of all inputs
 * @param textHash hash of the rendered text
 * @param frame tokens of the rendered window besides those of its items
 * @param ledger every candidate, in the order in which room was offered
 */
public record Window(
    Id id,
    Id trajectory,
    WindowInputs inputs,
    CompositionSettings recipe,
    String inputHash,
    String textHash,
    int usedTokens,
    int frame,
    List<SectionContent> sections,
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
   * Inputs of the assembly.
   *
   * @param sequence the last commit that was seen
   * @param configuration the hash of the space's deployed configuration
   * @param generations the indexes that answered, by table
   * @param degraded why the result is reduced
   * @param subjects the subjects named besides the trajectory's own
   * @param otherSubjects number of records hidden because they belong to another subject; 1000
   *     means at least 1000
   */
  public record WindowInputs(
      Optional<String> query,
      Optional<String> model,
      Optional<Instant> asOf,
      long sequence,
      Optional<String> configuration,
      List<String> generations,
      Optional<String> degraded,
      Optional<ReadableSubjects> subjects,
      Optional<Integer> otherSubjects) {
    public WindowInputs {
      generations = List.copyOf(generations);
    }

    public void addToHash(FieldHash.FieldHasher fieldHasher) {
      fieldHasher.each(query, FieldHash.FieldHasher::text).each(model, FieldHash.FieldHasher::text);
      fieldHasher.each(asOf, FieldHash.FieldHasher::time).number(sequence);
      fieldHasher.each(configuration, FieldHash.FieldHasher::text);
      fieldHasher
          .each(generations, FieldHash.FieldHasher::text)
          .each(degraded, FieldHash.FieldHasher::text);
      subjects.ifPresent(
          named ->
              fieldHasher
                  .text("subjects")
                  .flag(named.all())
                  .each(sorted(named), FieldHash.FieldHasher::text));
      otherSubjects.ifPresent(count -> fieldHasher.text("other subjects").number(count));
    }

    private static List<String> sorted(ReadableSubjects named) {
      return named.subjects().stream().sorted().toList();
    }

    /**
     * Returns the hash of all inputs of the window: request, settings, and every candidate in its
     * order.
     */
    public String hash(
        Id trajectory, CompositionSettings compositionSettings, List<LedgerLine> ledger) {
      FieldHash.FieldHasher fieldHasher = FieldHash.fieldHasher("window inputs").id(trajectory);
      addToHash(fieldHasher);
      return fieldHasher
          .text(compositionSettings.hash())
          .each(ledger, (into, line) -> line.candidate().addToHash(into))
          .hash();
    }
  }

  public Window {
    sections = List.copyOf(sections);
    ledger = List.copyOf(ledger);
  }

  /** Returns the requested budget, or the limit if that is less. */
  public int maxTokens() {
    return recipe.withinLimits().budget();
  }

  public Window withExpiry(Id newId, Optional<Instant> until) {
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

  /** Returns a copy without an expiry, whatever the settings say about windows. */
  public Window withoutExpiry() {
    return withExpiry(id, Optional.empty());
  }

  /** Returns whether it has not expired; it may still be stored after that. */
  public boolean isLive(Instant at) {
    return expiresAt.filter(end -> !end.isAfter(at)).isEmpty();
  }

  /** Returns whether it is within these limits. */
  public boolean isWithin(WindowLimits limits) {
    return usedTokens <= limits.maxTokens()
        && shownCount(SourceKind.SCOPE) <= limits.maxScopes()
        && shownCount(SourceKind.ARTIFACT) <= limits.maxArtifacts()
        && shownCount(SourceKind.NOTE) <= limits.maxNotes();
  }

  private long shownCount(SourceKind kind) {
    return ledger.stream()
        .filter(line -> line.decision().isIncluded() && line.candidate().kind() == kind)
        .count();
  }

  /** Returns a window of the same candidates by other settings. */
  public Window withComposition(
      CompositionSettings other, ComposedWindow composedWindow, String newTextHash, Instant now) {
    String hash = FieldHash.hash("composed again", inputHash, other.hash());
    return new Window(
        Id.derivedFrom("window", hash),
        trajectory,
        inputs,
        other,
        hash,
        newTextHash,
        composedWindow.usedTokens(),
        composedWindow.frame(),
        composedWindow.sections(),
        composedWindow.ledger(),
        now,
        Optional.empty());
  }

  /** Returns the record of a citation {@code [n]}, if the window shows it with its number. */
  public Optional<LedgerLine> citedLine(int number) {
    return number < 1 || number > ledger.size()
        ? Optional.empty()
        : Optional.of(ledger.get(number - 1)).filter(LedgerLine::isSource).filter(this::isNumbered);
  }

  /** Returns false for turns passed on as messages, which have no number. */
  private boolean isNumbered(LedgerLine line) {
    return switch (recipe.format()) {
      case OPENAI, ANTHROPIC -> !recipe.dialogueSections().contains(line.candidate().section());
      case XML, MARKDOWN, TRUST -> true;
    };
  }
}
