package dev.caliber.kernel;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Error of an invalid value, vector or setting. Any module may throw one. */
@SuppressWarnings("serial") // never serialised
public final class KernelException extends CaliberException {
  private static final int LONGEST_QUOTE = 100;

  private KernelException(KernelErrorCode code, String message) {
    super(code, message);
  }

  private KernelException(KernelErrorCode code, String message, String advice) {
    super(code, message, advice);
  }

  /** Refuses a value for a given reason. */
  public static KernelException invalidValue(String field, String reason) {
    return new KernelException(KernelErrorCode.INVALID_VALUE, field + ": " + reason);
  }

  /**
   * Refuses a value of the wrong shape. The value is quoted: shortened, and without control
   * characters.
   */
  public static KernelException invalidValue(String field, String wanted, String found) {
    return new KernelException(
        KernelErrorCode.INVALID_VALUE, field + ": expected " + wanted + ", found " + quote(found));
  }

  public static KernelException requiredFieldMissing(String field) {
    return new KernelException(
        KernelErrorCode.REQUIRED_FIELD_MISSING, field + ": expected a value, found none");
  }

  public static KernelException invalidStateTransition(
      String entityType, Enum<?> from, Enum<?> event, Collection<? extends Enum<?>> allowed) {
    String wanted =
        allowed.isEmpty()
            ? "no event (the state is final)"
            : allowed.stream().map(Enum::name).collect(Collectors.joining(", "));
    return new KernelException(
        KernelErrorCode.INVALID_STATE_TRANSITION,
        entityType
            + " in state "
            + from.name()
            + ": expected "
            + wanted
            + ", found "
            + event.name());
  }

  public static KernelException limitExceeded(String limit, long max, long found) {
    return new KernelException(
        KernelErrorCode.LIMIT_EXCEEDED, limit + ": expected at most " + max + ", found " + found);
  }

  /** Refuses a value sent by a caller that exceeds a limit. */
  static KernelException limitExceeded(String field, Limit limit, long found) {
    return new KernelException(
        KernelErrorCode.LIMIT_EXCEEDED,
        "%s: expected at most %d (%s), found %d"
            .formatted(field, limit.max(), limit.name(), found));
  }

  public static KernelException invalidVector(String reason) {
    return new KernelException(KernelErrorCode.INVALID_VECTOR, reason);
  }

  public static KernelException dimensionMismatch(int expected, int found) {
    return new KernelException(
        KernelErrorCode.DIMENSION_MISMATCH,
        "The vector has the wrong length: expected " + expected + " dimensions, found " + found);
  }

  /** Reports a required setting that the file lacks; {@code where} is file:line:column. */
  public static KernelException missingRequired(String where, String key) {
    return new KernelException(
        KernelErrorCode.MISSING_REQUIRED,
        where + ": the setting " + key + " is missing",
        "Add the setting. 'caliber init' writes a file with a value for every setting.");
  }

  /** Reports a wrong setting; {@code where} is file:line:column. */
  public static KernelException invalidSetting(String where, String key, String reason) {
    return new KernelException(KernelErrorCode.INVALID_SETTING, where + ": " + key + ": " + reason);
  }

  /** Reports a setting of the wrong shape and quotes its value. */
  public static KernelException invalidSetting(
      String where, String key, String wanted, String found) {
    return invalidSetting(where, key, "expected " + wanted + ", found " + quote(found));
  }

  /** Reports a definition that lacks a required part; {@code where} is file:line:column. */
  public static KernelException missingPart(String where, String reason) {
    return new KernelException(KernelErrorCode.MISSING_REQUIRED, where + ": " + reason);
  }

  /** Reports two options that cannot be combined; {@code where} is file:line:column. */
  public static KernelException incompatibleOptions(String where, String reason) {
    return new KernelException(KernelErrorCode.INCOMPATIBLE_OPTIONS, where + ": " + reason);
  }

  /**
   * Reports an option that the language has and this version does not support; {@code where} is
   * file:line:column.
   */
  public static KernelException providerNotSupported(String where, String reason) {
    return new KernelException(KernelErrorCode.PROVIDER_NOT_SUPPORTED, where + ": " + reason);
  }

  /**
   * Combines all of the errors into one, a line for each; they are also its suppressed exceptions.
   */
  public static KernelException multipleErrors(List<? extends CaliberException> errors) {
    var all =
        new KernelException(
            KernelErrorCode.MULTIPLE_ERRORS,
            errors.stream()
                .map(CaliberException::toLine)
                .collect(Collectors.joining("\n  ", errors.size() + " errors\n  ", "")));
    errors.forEach(all::addSuppressed);
    return all;
  }

  /** Quotes a value for a message: shortened, and without control characters. */
  public static String quote(String found) {
    var quoted = new StringBuilder("'");
    found
        .codePoints()
        .limit(LONGEST_QUOTE)
        .map(c -> Character.isISOControl(c) || isLoneSurrogate(c) ? '\uFFFD' : c)
        .forEach(quoted::appendCodePoint);
    boolean cut = found.codePointCount(0, found.length()) > LONGEST_QUOTE;
    return quoted.append(cut ? "…'" : "'").toString();
  }

  private static boolean isLoneSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
