package dev.caliber.app.shell;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;
import java.util.stream.Stream;

/** Error code that a server has reported. */
record RemoteErrorCode(String text, ErrorKind kind) implements ErrorCode {
  private static final int INVALID = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int DENIED = 403;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int PRECONDITION = 412;
  private static final int TOO_LARGE = 413;
  private static final int LIMIT = 422;
  private static final int INTERNAL = 500;

  static RemoteErrorCode of(String text, int status) {
    return new RemoteErrorCode(
        text,
        switch (status) {
          case INVALID -> ErrorKind.INVALID;
          case UNAUTHORIZED, DENIED -> ErrorKind.DENIED;
          case NOT_FOUND -> ErrorKind.NOT_FOUND;
          case CONFLICT, PRECONDITION -> ErrorKind.CONFLICT;
          case TOO_LARGE, LIMIT -> ErrorKind.LIMIT;
          case INTERNAL -> ErrorKind.INTERNAL;
          default -> ErrorKind.UNAVAILABLE;
        });
  }

  @Override
  public String name() {
    return text;
  }

  @Override
  public ErrorTraits traits() {
    ErrorFamily family =
        Stream.of(ErrorFamily.values())
            .filter(candidate -> text.startsWith(candidate.code() + "_"))
            .findFirst()
            .orElse(ErrorFamily.VALIDATION);
    return ErrorTraits.of(family, kind);
  }
}
