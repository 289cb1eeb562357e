package dev.caliber.app;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** Every way in which a command ends. Scripts rely on the numbers; docs/cli.md lists them. */
enum ExitCode {
  OK(0, "all went well"),
  FAILED(1, "the command ran and found something wrong: a failed check, a finding"),
  USAGE(2, "the command line is wrong: an unknown command or option, a missing value"),
  INVALID(65, "what was given is wrong in itself: a value, a file that is no store or no export"),
  NOT_FOUND(66, "what was named is not there: a file, a store, a space, a job"),
  UNAVAILABLE(69, "something needed is away for now: the database server, room on the disk"),
  INTERNAL(70, "Caliber broke a promise of its own; run again with --debug and report it"),
  CONFLICT(75, "it does not fit the present state: in use elsewhere, changed, already there"),
  LIMIT(76, "a written limit was passed"),
  DENIED(77, "this user may not do this"),
  CONFIGURATION(78, "the configuration is wrong; one line for each place");

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  int number() {
    return number;
  }

  String meaning() {
    return meaning;
  }

  /** What an error of this code ends the command with. */
  static ExitCode of(ErrorCode code) {
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
