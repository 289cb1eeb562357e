package dev.caliber.kernel;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Root of every error that Caliber reports. Each module has one final subclass whose named
 * factories are the only way to make one; the message names both what was expected and what was
 * found.
 */
@SuppressWarnings("serial") // never serialised
public abstract class CaliberException extends RuntimeException {
  private final ErrorCode code;
  private final String message;
  private final String advice;

  /** Creates an error with the advice of its code. */
  protected CaliberException(ErrorCode code, String message) {
    this(code, message, code.advice());
  }

  /** Creates an error; a blank advice counts as none. */
  protected CaliberException(ErrorCode code, String message, String advice) {
    super(message);
    this.code = code;
    this.message = message;
    this.advice = advice;
  }

  protected CaliberException(ErrorCode code, String message, Throwable cause) {
    this(code, message, code.advice(), cause);
  }

  protected CaliberException(ErrorCode code, String message, String advice, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.message = message;
    this.advice = advice;
  }

  public final ErrorCode code() {
    return code;
  }

  /** Returns what was expected and what was found. */
  public final String message() {
    return message;
  }

  /** Returns one line for people and logs: the code's text, a colon, the message. */
  public final String toLine() {
    return code.text() + ": " + message;
  }

  /** Returns what to do about it, as a sentence that follows the message. */
  public final Optional<String> advice() {
    return Optional.of(advice).filter(text -> !text.isBlank());
  }

  /** Returns the subjects of the message by name, for programs; empty where the message is all. */
  public Map<String, String> fields() {
    return Map.of();
  }

  /** Returns the pause that the called service asks for, if it does. */
  public Optional<Duration> retryAfter() {
    return Optional.empty();
  }
}
