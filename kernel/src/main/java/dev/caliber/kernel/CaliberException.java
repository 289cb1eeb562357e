package dev.caliber.kernel;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The root of every error that Caliber reports. Each room has one final subclass whose named
 * factories are the only way to make one; the message names what was wanted and what was found.
 */
@SuppressWarnings("serial") // never serialised
public abstract class CaliberException extends RuntimeException {
  private final ErrorCode code;
  private final String message;
  private final String advice;

  protected CaliberException(ErrorCode code, String message) {
    this(code, message, "");
  }

  /** A blank advice is none. */
  protected CaliberException(ErrorCode code, String message, String advice) {
    super(message);
    this.code = code;
    this.message = message;
    this.advice = advice;
  }

  protected CaliberException(ErrorCode code, String message, Throwable cause) {
    this(code, message, "", cause);
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

  /** What was wanted and what was found. */
  public final String message() {
    return message;
  }

  /** One line for people and logs: the code's text, a colon, the message. */
  public final String report() {
    return code.text() + ": " + message;
  }

  /** What to do about it, as a sentence that follows the message. */
  public final Optional<String> advice() {
    return Optional.of(advice).filter(text -> !text.isBlank());
  }

  /** What the message speaks of, by name, for programs; empty where the message is all. */
  public Map<String, String> fields() {
    return Map.of();
  }

  /** How long whoever was asked wants to be left alone, where it said so. */
  public Optional<Duration> retryAfter() {
    return Optional.empty();
  }
}
