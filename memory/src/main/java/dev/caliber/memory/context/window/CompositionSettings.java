package dev.caliber.memory.context.window;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.ContextConfig.ShorteningSettings;
import dev.caliber.kernel.config.ContextConfig.WindowRankingSettings;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.kernel.config.ContextIntegrityConfig.WindowLimits;
import dev.caliber.memory.text.TextAnalysisSettings;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All settings that composing reads, stored so that a window can be replayed after settings have
 * changed.
 *
 * @param composition version of the composition rules
 * @param minimum candidates of lower relevance are excluded
 * @param counter the name of the token counter
 * @param bytesPerToken for the estimate
 * @param margin for the estimate
 * @param at the time from which ages are counted
 * @param sections by priority, then by name
 * @param dosage limits of the window, if it has any
 * @param quality candidates of lower source quality are excluded
 * @param trust inputs of the trust format; empty for other formats
 */
public record CompositionSettings(
    int composition,
    int budget,
    String instructions,
    double fillRatio,
    double minimum,
    WindowRankingSettings ranking,
    ShorteningSettings shortening,
    TextAnalysisSettings text,
    ContextFormat format,
    boolean dates,
    String counter,
    double bytesPerToken,
    double margin,
    Instant at,
    List<WindowSection> sections,
    Optional<WindowLimits> dosage,
    Optional<Double> quality,
    Optional<TrustFormatInput> trust) {

  /**
   * Version of this code's composition rules; windows of another version cannot be replayed. It is
   * raised when equal candidates give other bytes.
   */
  public static final int COMPOSITION = 5;

  public CompositionSettings {
    sections = List.copyOf(sections);
  }

  public CompositionSettings withSections(List<WindowSection> others) {
    return copyWith(budget, others, dosage, at, trust);
  }

  /** Applies limits, under this code's composition version. */
  public CompositionSettings withLimits(WindowLimits limits) {
    return copyWith(COMPOSITION, budget, sections, Optional.of(limits), at, trust);
  }

  /** Returns a copy with another time. */
  public CompositionSettings withTime(Instant other) {
    return copyWith(budget, sections, dosage, other, trust);
  }

  /** Sets the conflicts between candidates, if the format shows trust. */
  public CompositionSettings withConflicts(KnownNoteConflicts found) {
    return copyWith(budget, sections, dosage, at, trust.map(prompt -> prompt.withConflicts(found)));
  }

  /** Returns the names of the sections that are the current conversation. */
  public Set<String> dialogueSections() {
    return sections.stream()
        .filter(WindowSection::dialogue)
        .map(WindowSection::name)
        .collect(Collectors.toSet());
  }

  public double minimumQuality() {
    return quality.orElse(0.0);
  }

  /** Returns whether the limits reduce the number of tokens. */
  public boolean isTokenLimited() {
    return dosage.filter(limits -> limits.maxTokens() < budget).isPresent();
  }

  /** Returns the settings with the budget reduced to the limits. */
  public CompositionSettings withinLimits() {
    return dosage
        .map(limits -> copyWith(Math.min(budget, limits.maxTokens()), sections, dosage, at, trust))
        .orElse(this);
  }

  private CompositionSettings copyWith(
      int tokens,
      List<WindowSection> others,
      Optional<WindowLimits> limits,
      Instant moment,
      Optional<TrustFormatInput> prompt) {
    return copyWith(composition, tokens, others, limits, moment, prompt);
  }

  private CompositionSettings copyWith(
      int rules,
      int tokens,
      List<WindowSection> others,
      Optional<WindowLimits> limits,
      Instant moment,
      Optional<TrustFormatInput> prompt) {
    return new CompositionSettings(
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
    return FieldHash.hash("recipe", Json.text(this));
  }
}
