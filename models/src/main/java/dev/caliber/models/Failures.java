package dev.caliber.models;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.store.spi.Embedding;
import java.util.Set;

/** Errors as results, for the one text that they are about. */
final class Failures {

  /* What the text itself is to blame for; a refused key or a wrong model says nothing of it. */
  private static final Set<ErrorCode> OF_TEXT =
      Set.of(
          ModelsErrorCode.INPUT_REFUSED,
          ModelsErrorCode.TEXT_TOO_LONG,
          KernelErrorCode.REQUIRED_FIELD_MISSING,
          KernelErrorCode.INVALID_VECTOR);

  private Failures() {}

  static Embedding of(CaliberException e) {
    return OF_TEXT.contains(e.code())
        ? Embedding.refused(e.code(), e.message())
        : Embedding.failed(e.code(), e.message(), e.retryAfter());
  }
}
