package dev.caliber.models;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.store.spi.Embedding;
import java.util.Set;

/** Conversion of errors to results of the text that they are about. */
final class EmbeddingFailures {

  /*
   * Errors caused by the text itself. A refused key or a wrong model tells nothing about the text.
   */
  private static final Set<ErrorCode> OF_TEXT =
      Set.of(
          ModelsErrorCode.INPUT_REJECTED,
          ModelsErrorCode.TEXT_TOO_LONG,
          KernelErrorCode.REQUIRED_FIELD_MISSING,
          KernelErrorCode.INVALID_VECTOR);

  private EmbeddingFailures() {}

  static Embedding toEmbedding(CaliberException e) {
    return OF_TEXT.contains(e.code())
        ? Embedding.refused(e.code(), e.message())
        : Embedding.failed(e.code(), e.message(), e.retryAfter());
  }
}
