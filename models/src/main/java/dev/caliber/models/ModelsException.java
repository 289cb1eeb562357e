package dev.caliber.models;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.DataSize;
import dev.caliber.store.spi.Embedding;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Error of a model, with its code. No message repeats a key; a provider's text is shortened. */
@SuppressWarnings("serial") // never serialised
public final class ModelsException extends CaliberException {

  private static final String PROVIDER = "provider";
  private static final String STATUS = "status";
  private static final String MESSAGE = "message";
  private static final String REASON = "reason";

  private final Optional<Duration> retryAfter;
  private Map<String, String> fields = Map.of();
  private boolean fault;

  private ModelsException(ModelsErrorCode code, String message) {
    this(code, message, Optional.empty());
  }

  private ModelsException(ModelsErrorCode code, String message, Optional<Duration> retryAfter) {
    super(code, message);
    this.retryAfter = retryAfter;
  }

  private ModelsException(ModelsErrorCode code, String message, Throwable cause) {
    super(code, message, cause);
    this.retryAfter = Optional.empty();
  }

  private ModelsException with(Map<String, String> named) {
    fields = Map.copyOf(named);
    return this;
  }

  @Override
  public Map<String, String> fields() {
    return fields;
  }

  @Override
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }

  /** Returns whether the server failed internally, which one of the texts may have caused. */
  boolean isServerFault() {
    return fault;
  }

  static ModelsException notConfigured(String what) {
    return new ModelsException(
        ModelsErrorCode.PROVIDER_NOT_CONFIGURED,
        "%s needs an embedding model, but models.provider is 'none'".formatted(what));
  }

  static ModelsException keyMissing(String variable) {
    return new ModelsException(
        ModelsErrorCode.API_KEY_MISSING,
        "The environment variable %s, which holds the API key, is not set".formatted(variable));
  }

  static ModelsException keyUnusable(String variable) {
    return new ModelsException(
        ModelsErrorCode.API_KEY_MISSING,
        "The API key in the environment variable %s contains a character that is not visible ASCII"
            .formatted(variable));
  }

  static ModelsException fileMissing(String model, String resource) {
    return new ModelsException(
        ModelsErrorCode.MODEL_UNAVAILABLE,
        "The file %s of model '%s' is not on the class path".formatted(resource, model));
  }

  static ModelsException notLoaded(String model, Throwable cause) {
    return new ModelsException(
        ModelsErrorCode.MODEL_UNAVAILABLE,
        "Model '%s' cannot be loaded: %s".formatted(model, cause.getMessage()),
        cause);
  }

  static ModelsException egressDenied(String host, String reason) {
    return new ModelsException(
        ModelsErrorCode.EGRESS_DENIED,
        "Requests to '%s' are not allowed: %s".formatted(host, reason));
  }

  static ModelsException requestFailed(String provider, String reason) {
    return new ModelsException(
            ModelsErrorCode.REQUEST_FAILED,
            "A request to %s failed: %s".formatted(provider, reason))
        .with(Map.of(PROVIDER, provider, MESSAGE, reason));
  }

  static ModelsException requestFailed(String provider, int status, Optional<Duration> retryAfter) {
    return new ModelsException(
            ModelsErrorCode.REQUEST_FAILED,
            "A request to %s failed with status %d".formatted(provider, status),
            retryAfter)
        .with(Map.of(PROVIDER, provider, STATUS, Integer.toString(status)));
  }

  static ModelsException serverFault(String provider, int status, Optional<Duration> retryAfter) {
    ModelsException made = requestFailed(provider, status, retryAfter);
    made.fault = retryAfter.isEmpty();
    return made;
  }

  static ModelsException requestRefused(String provider, int status, String said) {
    return new ModelsException(
            ModelsErrorCode.REQUEST_REJECTED,
            "A request to %s was refused with status %d%s".formatted(provider, status, said))
        .with(Map.of(PROVIDER, provider, STATUS, Integer.toString(status)));
  }

  static ModelsException inputRefused(String provider, int status, String said) {
    return new ModelsException(
            ModelsErrorCode.INPUT_REJECTED,
            "The texts of a request to %s were refused with status %d%s"
                .formatted(provider, status, said))
        .with(Map.of(PROVIDER, provider, STATUS, Integer.toString(status)));
  }

  static ModelsException rateLimited(String provider, Optional<Duration> retryAfter) {
    return new ModelsException(
            ModelsErrorCode.RATE_LIMITED,
            "A request to %s was refused, because the server limits the rate of requests%s"
                .formatted(
                    provider,
                    retryAfter
                        .map(pause -> "; the server asks for a pause of " + pause)
                        .orElse("")),
            retryAfter)
        .with(
            retryAfter
                .map(
                    pause ->
                        Map.of(
                            PROVIDER, provider, "retry_after_ms", Long.toString(pause.toMillis())))
                .orElseGet(() -> Map.of(PROVIDER, provider)));
  }

  static ModelsException invalidResponse(String provider, String reason) {
    return new ModelsException(
            ModelsErrorCode.INVALID_RESPONSE,
            "The answer of %s cannot be used: %s".formatted(provider, reason))
        .with(Map.of(PROVIDER, provider, REASON, reason));
  }

  static ModelsException modelMismatch(String wanted, String found) {
    return new ModelsException(
        ModelsErrorCode.MODEL_MISMATCH,
        "The vectors of the model server cannot be used: expected vectors of model '%s', found vectors of model '%s'"
            .formatted(wanted, found));
  }

  static ModelsException embeddingFailed(String model, Throwable cause) {
    return new ModelsException(
            ModelsErrorCode.EMBEDDING_FAILED,
            "The embedding model '%s' failed: %s".formatted(model, cause.getMessage()),
            cause)
        .with(Map.of(REASON, String.valueOf(cause.getMessage())));
  }

  static ModelsException notMeasured(Embedding.Failure failure) {
    return new ModelsException(
        ModelsErrorCode.EMBEDDING_FAILED,
        "The similarity scores of the embedding model cannot be calibrated: %s: %s"
            .formatted(failure.code().text(), failure.message()),
        failure.retryAfter());
  }

  static ModelsException tooManyParts(int limit, int found) {
    return new ModelsException(
        ModelsErrorCode.TEXT_TOO_LONG,
        "The text is too long to be embedded: expected at most %d parts (models.in-process.parts-limit), found %d"
            .formatted(limit, found));
  }

  static ModelsException textTooLong(DataSize limit, long found) {
    return new ModelsException(
        ModelsErrorCode.TEXT_TOO_LONG,
        "The text is too long to be embedded: expected at most %s (models.http.limits.text-limit), found %d bytes"
            .formatted(limit, found));
  }

  static ModelsException budgetSpent(DataSize budget) {
    return new ModelsException(
        ModelsErrorCode.BUDGET_EXHAUSTED,
        "The chat model was not asked: the extraction and contradiction requests of today have reached %s (models.chat.extraction.daily-budget)"
            .formatted(budget));
  }

  static ModelsException busy(String setting, Duration patience) {
    return new ModelsException(
        ModelsErrorCode.BUSY,
        "The text was not embedded: no place in the queue became free within %s (%s)"
            .formatted(patience, setting));
  }

  static ModelsException closed() {
    return new ModelsException(ModelsErrorCode.CLOSED, "The models are closed");
  }

  static ModelsException interrupted() {
    return new ModelsException(
        ModelsErrorCode.CLOSED, "The thread was interrupted while it waited for a vector");
  }
}
