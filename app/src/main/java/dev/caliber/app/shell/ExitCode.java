package dev.caliber.app.shell;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** Exit codes of commands. Scripts rely on the numbers; docs/cli.md lists them. */
public enum ExitCode {
  OK(0, "success"),
  FAILED(1, "the command ran and found a problem: a failed check, a finding"),
  USAGE(2, "wrong command line: an unknown command or option, a missing value"),
  INVALID(65, "wrong input: an invalid value, a file that is not a store or an export"),
  NOT_FOUND(66, "not found: a file, a store, a space, a job"),
  UNAVAILABLE(69, "something required is unavailable for now: the database server, disk space"),
  INTERNAL(70, "an error in Caliber itself; run again with --debug and report it"),
  CONFLICT(75, "conflict with the present state: in use, changed, or it exists already"),
  LIMIT(76, "a configured limit was exceeded"),
  DENIED(77, "this user has no permission"),
  CONFIGURATION(78, "wrong configuration; one line for each error");

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  public int number() {
    return number;
  }

  public String meaning() {
    return meaning;
  }

  /** Returns the exit code for an error code. */
  public static ExitCode of(ErrorCode code) {
    if (code.family() == ErrorFamily.CONFIG && code.kind() == ErrorKind.INVALID) {
      return CONFIGURATION;
    }
    return switch (code.kind()) {
      case INVALID -> INVALID;
      case NOT_FOUND -> NOT_FOUND;
      case CONFLICT -> CONFLICT;
      case DENIED -> DENIED;
      case LIMIT -> LIMIT;
      case UNAVAILABLE -> UNAVAILABLE;
      case INTERNAL -> INTERNAL;
    };
  }
}
