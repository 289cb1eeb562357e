package dev.caliber.app;

import dev.caliber.app.shell.AppErrorCode;
import dev.caliber.app.shell.AppException;
import dev.caliber.app.shell.CaliberCommand;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.Terminal;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.KernelErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Turns an exception of a command into one line on the standard error and an exit code. A
 * configuration with several errors gives one line for each.
 */
public final class FailureReporter
    implements IExecutionExceptionHandler, IParameterExceptionHandler {
  private static final String DEBUG = "--debug";

  private final Terminal terminal;
  private final CaliberCommand options;

  public FailureReporter(Terminal terminal, CaliberCommand options) {
    this.terminal = terminal;
    this.options = options;
  }

  @Override
  public int handleExecutionException(
      Exception e, CommandLine commandLine, ParseResult parseResult) {
    return report(e).number();
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String advice =
        hint(e) + "See '%s --help'.".formatted(command.getCommandSpec().qualifiedName());
    AppException usage = AppException.usage(message(e), advice);
    usage.addSuppressed(e);
    print(usage);
    printTrace(e);
    return ExitCode.USAGE.number();
  }

  private static String message(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
      return expectsCommand(e)
          ? "Unknown command '%s'".formatted(unmatched.getUnmatched().getFirst())
          : "Unexpected argument: '%s'".formatted(String.join("', '", unmatched.getUnmatched()));
    }
    return e.getMessage() == null ? "The command line is wrong" : e.getMessage();
  }

  /** Returns whether the parser expected a command. */
  private static boolean expectsCommand(ParameterException e) {
    return !e.getCommandLine().getSubcommands().isEmpty();
  }

  /** Returns a suggestion for a mistyped command line. */
  private static String hint(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)) {
      return "";
    }
    if (!unmatched.isUnknownOption() && !expectsCommand(e)) {
      return "Put a text of several words in quotes. ";
    }
    List<String> near =
        CommandSynonyms.commandFor(unmatched.getUnmatched().getFirst(), e.getCommandLine())
            .map(List::of)
            .orElseGet(unmatched::getSuggestions);
    return near.isEmpty() ? "" : "Did you mean %s? ".formatted(String.join(" or ", near));
  }

  /** Prints the error and returns the exit code of the process. */
  public ExitCode report(Throwable e) {
    ExitCode code =
        switch (e) {
          case CaliberException known -> print(known);
          case UncheckedIOException wrapped ->
              print(AppException.of(Objects.requireNonNull(wrapped.getCause())));
          case IOException io -> print(AppException.of(io));
          case InterruptedException _ -> print(AppException.interrupted());
          default -> reportUnexpected(e);
        };
    printTrace(e);
    return code;
  }

  private ExitCode print(CaliberException e) {
    if (e.code() == KernelErrorCode.MULTIPLE_ERRORS) {
      for (Throwable one : e.getSuppressed()) {
        if (one instanceof CaliberException known) {
          print(known);
        }
      }
    } else {
      printLine(
          e.toLine() + e.advice().map(advice -> sentenceEnd(e.message()) + advice).orElse(""));
    }
    return e.code() == AppErrorCode.USAGE ? ExitCode.USAGE : ExitCode.of(e.code());
  }

  private ExitCode reportUnexpected(Throwable e) {
    printLine(
        "UNEXPECTED: %s: %s. Run it again with %s for the stack trace, and report it."
            .formatted(e.getClass().getSimpleName(), e.getMessage(), DEBUG));
    return ExitCode.INTERNAL;
  }

  private static String sentenceEnd(String message) {
    return message.endsWith(".") ? " " : ". ";
  }

  private void printLine(String text) {
    terminal.printNote(terminal.error("caliber:") + " " + text.replaceAll("\\p{Cntrl}+\\s*", " "));
  }

  private void printTrace(Throwable e) {
    if (options.isDebug()) {
      e.printStackTrace(terminal.err());
    }
  }
}
