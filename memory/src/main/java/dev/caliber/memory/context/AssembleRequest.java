package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.kernel.config.PcpConfig.Dosage;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.memory.record.Texts;
import java.time.Instant;
import java.util.Optional;

/**
 * A wish for a window; what is not said is as the settings say.
 *
 * @param maxTokens fewer than the configured budget, never more
 * @param model counts tokens as this model does, if its tokenizer is known
 * @param tokenizer counts tokens by this tokenizer, whatever the model
 * @param dosage how much the window may hold in the end
 * @param asOf as memory was at this time
 * @param dryRun whether nothing at all is stored
 * @param subject for whom the window is made; refused where the trajectory belongs to another
 * @param visible subjects that were named beside the trajectory's own; the window says so
 */
public record AssembleRequest(
    Id trajectory,
    Optional<String> query,
    Optional<Integer> maxTokens,
    Optional<String> model,
    Optional<String> tokenizer,
    Optional<ContextFormat> format,
    Optional<Dosage> dosage,
    Optional<Persistence> persistence,
    Optional<Instant> asOf,
    boolean dryRun,
    Optional<String> subject,
    Optional<SubjectScope> visible) {

  public AssembleRequest {
    query = query.filter(text -> !text.isBlank());
    subject.ifPresent(name -> Texts.requireFilled("subject", name));
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

  public AssembleRequest asking(String text) {
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

  public AssembleRequest within(int tokens) {
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

  public AssembleRequest forModel(String name) {
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

  public AssembleRequest countedBy(String name) {
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

  public AssembleRequest as(ContextFormat other) {
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

  /** Held to these limits from the start: what they leave out is a line of the ledger. */
  public AssembleRequest dosed(Dosage limits) {
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

  public AssembleRequest kept(Persistence other) {
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

  public AssembleRequest asOf(Instant time) {
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
  public AssembleRequest dry() {
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

  /** For this subject; a trajectory of another subject is refused. */
  public AssembleRequest forSubject(String name) {
    return with(Optional.of(name), visible);
  }

  /** Also shows the records of these subjects, beside the trajectory's own and shared ones. */
  public AssembleRequest seeing(SubjectScope named) {
    return with(subject, Optional.of(named));
  }

  private AssembleRequest with(Optional<String> newSubject, Optional<SubjectScope> named) {
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
