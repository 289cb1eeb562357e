package dev.caliber.kernel;

import com.google.errorprone.annotations.Immutable;

/**
 * Properties of an error code.
 *
 * @param advice what to do about it, where that is equal for every error of the code; else empty
 */
@Immutable
public record ErrorTraits(ErrorFamily family, ErrorKind kind, String advice) {

  /** Returns traits with the given sentences of advice, or with none. */
  public static ErrorTraits of(ErrorFamily family, ErrorKind kind, String... advice) {
    return new ErrorTraits(family, kind, String.join(" ", advice));
  }
}
