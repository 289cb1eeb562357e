package dev.caliber.kernel;

/** Codes of errors in values, vectors and settings. */
public enum KernelErrorCode implements ErrorCode {
  INVALID_VALUE(ErrorFamily.VALIDATION, ErrorKind.INVALID),
  REQUIRED_FIELD_MISSING(ErrorFamily.VALIDATION, ErrorKind.INVALID),
  INVALID_STATE_TRANSITION(ErrorFamily.VALIDATION, ErrorKind.CONFLICT),
  LIMIT_EXCEEDED(ErrorFamily.VALIDATION, ErrorKind.LIMIT),
  INVALID_VECTOR(ErrorFamily.VECTOR, ErrorKind.INVALID),
  DIMENSION_MISMATCH(ErrorFamily.VECTOR, ErrorKind.INVALID),
  MISSING_REQUIRED(ErrorFamily.CONFIG, ErrorKind.INVALID),
  INVALID_SETTING(ErrorFamily.CONFIG, ErrorKind.INVALID),
  INCOMPATIBLE_OPTIONS(ErrorFamily.CONFIG, ErrorKind.INVALID),
  PROVIDER_NOT_SUPPORTED(ErrorFamily.CONFIG, ErrorKind.INVALID),
  MULTIPLE_ERRORS(ErrorFamily.CONFIG, ErrorKind.INVALID);

  private final ErrorTraits traits;

  KernelErrorCode(ErrorFamily family, ErrorKind kind) {
    this.traits = ErrorTraits.of(family, kind);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
