package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.kernel.config.PcpConfig.WindowLimits;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.TextChecks;
import java.time.Instant;
import java.util.Optional;

/**
 * Request for a window; absent values are taken from the settings.
 *
 * @param maxTokens a budget of at most the configured one
 * @param model counts tokens as this model does, if its tokenizer is known
 * @param tokenizer counts tokens by this tokenizer, whatever the model
 * @param dosage limits of the final window
 * @param asOf the time as of which memory is read
 * @param dryRun whether nothing at all is stored
 * @param subject subject of the window; refused if the trajectory belongs to another
 * @param visible subjects whose records may be shown besides the trajectory's own; the window
 *     records them
 */
public record AssembleRequest(
    Id trajectory,
    Optional<String> query,
    Optional<Integer> maxTokens,
    Optional<String> model,
    Optional<String> tokenizer,
    Optional<ContextFormat> format,
    Optional<WindowLimits> dosage,
    Optional<WindowPersistence> persistence,
    Optional<Instant> asOf,
    boolean dryRun,
    Optional<String> subject,
    Optional<ReadableSubjects> visible) {

  public AssembleRequest {
    query = query.filter(text -> !text.isBlank());
    subject.ifPresent(name -> TextChecks.requireNotBlank("subject", name));
  }

  public static AssembleRequest of(Id trajectory) {
    return new AssembleRequest(
        trajectory,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty());
  }

  public AssembleRequest withQuery(String text) {
    return new AssembleRequest(
        trajectory,
        Optional.of(text),
        maxTokens,
        model,
        tokenizer,
        format,
        dosage,
        persistence,
        asOf,
        dryRun,
        subject,
        visible);
  }

  public AssembleRequest withMaxTokens(int tokens) {
    return new AssembleRequest(
        trajectory,
        query,
        Optional.of(tokens),
        model,
        tokenizer,
        format,
        dosage,
        persistence,
        asOf,
        dryRun,
        subject,
        visible);
  }

  public AssembleRequest withModel(String name) {
    return new AssembleRequest(
        trajectory,
        query,
        maxTokens,
        Optional.of(name),
        tokenizer,
        format,
        dosage,
        persistence,
        asOf,
        dryRun,
        subject,
        visible);
  }

  public AssembleRequest withTokenizer(String name) {
    return new AssembleRequest(
        trajectory,
        query,
        maxTokens,
        model,
        Optional.of(name),
        format,
        dosage,
        persistence,
        asOf,
        dryRun,
        subject,
        visible);
  }

  public AssembleRequest withFormat(ContextFormat other) {
    return new AssembleRequest(
        trajectory,
        query,
        maxTokens,
        model,
        tokenizer,
        Optional.of(other),
        dosage,
        persistence,
        asOf,
        dryRun,
        subject,
        visible);
  }

  /**
   * Applies these limits while the window is composed: candidates over a limit are lines of the
   * ledger.
   */
  public AssembleRequest withLimits(WindowLimits limits) {
    return new AssembleRequest(
        trajectory,
        query,
        maxTokens,
        model,
        tokenizer,
        format,
        Optional.of(limits),
        persistence,
        asOf,
        dryRun,
        subject,
        visible);
  }

  public AssembleRequest withPersistence(WindowPersistence other) {
    return new AssembleRequest(
        trajectory,
        query,
        maxTokens,
        model,
        tokenizer,
        format,
        dosage,
        Optional.of(other),
        asOf,
        dryRun,
        subject,
        visible);
  }

  public AssembleRequest withAsOf(Instant time) {
    return new AssembleRequest(
        trajectory,
        query,
        maxTokens,
        model,
        tokenizer,
        format,
        dosage,
        persistence,
        Optional.of(time),
        dryRun,
        subject,
        visible);
  }

  /** Stores nothing, not even a trace. */
  public AssembleRequest withDryRun() {
    return new AssembleRequest(
        trajectory,
        query,
        maxTokens,
        model,
        tokenizer,
        format,
        dosage,
        persistence,
        asOf,
        true,
        subject,
        visible);
  }

  /** Sets the subject; a trajectory of another subject is refused. */
  public AssembleRequest withSubject(String name) {
    return withSubjects(Optional.of(name), visible);
  }

  /** Shows also the records of these subjects, besides the trajectory's own and shared ones. */
  public AssembleRequest withVisible(ReadableSubjects named) {
    return withSubjects(subject, Optional.of(named));
  }

  private AssembleRequest withSubjects(
      Optional<String> newSubject, Optional<ReadableSubjects> named) {
    return new AssembleRequest(
        trajectory,
        query,
        maxTokens,
        model,
        tokenizer,
        format,
        dosage,
        persistence,
        asOf,
        dryRun,
        newSubject,
        named);
  }
}
