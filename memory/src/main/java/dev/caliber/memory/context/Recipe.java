package dev.caliber.memory.context;

import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.ContextConfig.Ranking;
import dev.caliber.kernel.config.ContextConfig.Shortening;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.kernel.config.PcpConfig.Dosage;
import dev.caliber.memory.text.TextRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Every setting that composing reads, so that a window can be made again after settings have
 * changed.
 *
 * @param composition the version of the rules of composing
 * @param minimum candidates less relevant than this are left out
 * @param counter the name of what counts tokens
 * @param bytesPerToken for the estimate
 * @param margin for the estimate
 * @param at the moment from which ages are counted
 * @param sections by priority, then by name
 * @param dosage how much a window may hold in the end, where it was held to that
 * @param quality candidates that were judged to be of less are left out
 * @param trust what the format that speaks of trust needs, and no other has
 */
public record Recipe(
    int composition,
    int budget,
    String instructions,
    double fillRatio,
    double minimum,
    Ranking ranking,
    Shortening shortening,
    TextRules text,
    ContextFormat format,
    boolean dates,
    String counter,
    double bytesPerToken,
    double margin,
    Instant at,
    List<Section> sections,
    Optional<Dosage> dosage,
    Optional<Double> quality,
    Optional<TrustPrompt> trust) {

  /**
   * What this code composes by; another number cannot be replayed. It is raised when the same
   * candidates come out as other bytes.
   */
  static final int COMPOSITION = 4;

  public Recipe {
    sections = List.copyOf(sections);
  }

  Recipe with(List<Section> others) {
    return with(budget, others, dosage, at, trust);
  }

  /** Held to a dosage, and composed by this code's rules. */
  Recipe dosed(Dosage limits) {
    return with(COMPOSITION, budget, sections, Optional.of(limits), at, trust);
  }

  /** The same at another moment. */
  public Recipe at(Instant other) {
    return with(budget, sections, dosage, other, trust);
  }

  /** Where the format speaks of it: these candidates contradict each other. */
  Recipe knowing(NoteConflicts.Known found) {
    return with(budget, sections, dosage, at, trust.map(prompt -> prompt.with(found)));
  }

  /** The names of the sections that are the conversation at hand. */
  Set<String> dialogues() {
    return sections.stream()
        .filter(Section::dialogue)
        .map(Section::name)
        .collect(Collectors.toSet());
  }

  double least() {
    return quality.orElse(0.0);
  }

  /** Whether it is the dosage that says how many tokens there are. */
  boolean isHeld() {
    return dosage.filter(limits -> limits.maxContextTokens() < budget).isPresent();
  }

  /** What composing goes by: no more tokens than the dosage allows. */
  Recipe effective() {
    return dosage
        .map(
            limits ->
                with(Math.min(budget, limits.maxContextTokens()), sections, dosage, at, trust))
        .orElse(this);
  }

  private Recipe with(
      int tokens,
      List<Section> others,
      Optional<Dosage> limits,
      Instant moment,
      Optional<TrustPrompt> prompt) {
    return with(composition, tokens, others, limits, moment, prompt);
  }

  private Recipe with(
      int rules,
      int tokens,
      List<Section> others,
      Optional<Dosage> limits,
      Instant moment,
      Optional<TrustPrompt> prompt) {
    return new Recipe(
        rules,
        tokens,
        instructions,
        fillRatio,
        minimum,
        ranking,
        shortening,
        text,
        format,
        dates,
        counter,
        bytesPerToken,
        margin,
        moment,
        others,
        limits,
        quality,
        prompt);
  }

  String hash() {
    return Hashing.hash("recipe", Json.text(this));
  }
}
