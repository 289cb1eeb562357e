package dev.caliber.memory.context.window;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.kernel.config.ContextIntegrityConfig.WindowLimits;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.TextChecks;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

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
    return with(changed -> changed.query = Optional.of(text));
  }

  public AssembleRequest withMaxTokens(int tokens) {
    return with(changed -> changed.maxTokens = Optional.of(tokens));
  }

  public AssembleRequest withModel(String name) {
    return with(changed -> changed.model = Optional.of(name));
  }

  public AssembleRequest withTokenizer(String name) {
    return with(changed -> changed.tokenizer = Optional.of(name));
  }

  public AssembleRequest withFormat(ContextFormat other) {
    return with(changed -> changed.format = Optional.of(other));
  }

  /**
   * Applies these limits while the window is composed: candidates over a limit are lines of the
   * ledger.
   */
  public AssembleRequest withLimits(WindowLimits limits) {
    return with(changed -> changed.dosage = Optional.of(limits));
  }

  public AssembleRequest withPersistence(WindowPersistence other) {
    return with(changed -> changed.persistence = Optional.of(other));
  }

  public AssembleRequest withAsOf(Instant time) {
    return with(changed -> changed.asOf = Optional.of(time));
  }

  /** Stores nothing, not even a trace. */
  public AssembleRequest withDryRun() {
    return with(changed -> changed.dryRun = true);
  }

  /** Sets the subject; a trajectory of another subject is refused. */
  public AssembleRequest withSubject(String name) {
    return with(changed -> changed.subject = Optional.of(name));
  }

  /** Shows also the records of these subjects, besides the trajectory's own and shared ones. */
  public AssembleRequest withVisible(ReadableSubjects named) {
    return with(changed -> changed.visible = Optional.of(named));
  }

  private AssembleRequest with(Consumer<RequestDraft> change) {
    RequestDraft changed = new RequestDraft(this);
    change.accept(changed);
    return new AssembleRequest(
        trajectory,
        changed.query,
        changed.maxTokens,
        changed.model,
        changed.tokenizer,
        changed.format,
        changed.dosage,
        changed.persistence,
        changed.asOf,
        changed.dryRun,
        changed.subject,
        changed.visible);
  }

  /** Mutable values of a request that is being copied. */
  private static final class RequestDraft {
    Optional<String> query;
    Optional<Integer> maxTokens;
    Optional<String> model;
    Optional<String> tokenizer;
    Optional<ContextFormat> format;
    Optional<WindowLimits> dosage;
    Optional<WindowPersistence> persistence;
    Optional<Instant> asOf;
    boolean dryRun;
    Optional<String> subject;
    Optional<ReadableSubjects> visible;

    RequestDraft(AssembleRequest request) {
      query = request.query;
      maxTokens = request.maxTokens;
      model = request.model;
      tokenizer = request.tokenizer;
      format = request.format;
      dosage = request.dosage;
      persistence = request.persistence;
      asOf = request.asOf;
      dryRun = request.dryRun;
      subject = request.subject;
      visible = request.visible;
    }
  }
}
