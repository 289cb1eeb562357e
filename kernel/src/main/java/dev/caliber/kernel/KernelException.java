package dev.caliber.kernel;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** A value, vector or setting that is not what it has to be. Any room may throw one. */
@SuppressWarnings("serial") // never serialised
public final class KernelException extends CaliberException {
  private static final int LONGEST_QUOTE = 100;

  private KernelException(KernelErrorCode code, String message) {
    super(code, message);
  }

  private KernelException(KernelErrorCode code, String message, String advice) {
    super(code, message, advice);
  }

  /** A value that is refused for a reason of its own. */
  public static KernelException invalidValue(String field, String reason) {
    return new KernelException(KernelErrorCode.INVALID_VALUE, field + ": " + reason);
  }

  /**
   * A value of the wrong shape. What was found is quoted: shortened, and without control
   * characters.
   */
  public static KernelException invalidValue(String field, String wanted, String found) {
    return new KernelException(
        KernelErrorCode.INVALID_VALUE, field + ": wanted " + wanted + ", found " + quote(found));
  }

  public static KernelException requiredFieldMissing(String field) {
    return new KernelException(
        KernelErrorCode.REQUIRED_FIELD_MISSING, field + ": wanted a value, found none");
  }

  public static KernelException invalidStateTransition(
      String entityType, Enum<?> from, Enum<?> event, Collection<? extends Enum<?>> allowed) {
    String wanted =
        allowed.isEmpty()
            ? "nothing (it is final)"
            : allowed.stream().map(Enum::name).collect(Collectors.joining(", "));
    return new KernelException(
        KernelErrorCode.INVALID_STATE_TRANSITION,
        entityType + " in state " + from.name() + ": wanted " + wanted + ", found " + event.name());
  }

  public static KernelException limitExceeded(String limit, long max, long found) {
    return new KernelException(
        KernelErrorCode.LIMIT_EXCEEDED, limit + ": wanted at most " + max + ", found " + found);
  }

  /** More than a limit of what a caller has sent. */
  static KernelException limitExceeded(String field, Limit limit, long found) {
    return new KernelException(
        KernelErrorCode.LIMIT_EXCEEDED,
        "%s: wanted at most %d (%s), found %d".formatted(field, limit.max(), limit.name(), found));
  }

  public static KernelException invalidVector(String reason) {
    return new KernelException(KernelErrorCode.INVALID_VECTOR, reason);
  }

  public static KernelException dimensionMismatch(int expected, int found) {
    return new KernelException(
        KernelErrorCode.DIMENSION_MISMATCH, "wanted " + expected + " dimensions, found " + found);
  }

  /** A setting that has to be in the file and is not; {@code where} is file:line:column. */
  public static KernelException missingRequired(String where, String key) {
    return new KernelException(
        KernelErrorCode.MISSING_REQUIRED,
        where + ": wanted the setting " + key + ", found none",
        "Add it; the starter file shows a value for every setting.");
  }

  /** A setting that is there and wrong; {@code where} is file:line:column. */
  public static KernelException invalidSetting(String where, String key, String reason) {
    return new KernelException(KernelErrorCode.INVALID_SETTING, where + ": " + key + ": " + reason);
  }

  /** A setting that is there and of the wrong shape. What was found is quoted. */
  public static KernelException invalidSetting(
      String where, String key, String wanted, String found) {
    return invalidSetting(where, key, "wanted " + wanted + ", found " + quote(found));
  }

  /** A definition that lacks a part it has to have; {@code where} is file:line:column. */
  public static KernelException missingPart(String where, String reason) {
    return new KernelException(KernelErrorCode.MISSING_REQUIRED, where + ": " + reason);
  }

  /** Two things that are each right and cannot be together; {@code where} is file:line:column. */
  public static KernelException incompatibleOptions(String where, String reason) {
    return new KernelException(KernelErrorCode.INCOMPATIBLE_OPTIONS, where + ": " + reason);
  }

  /** Something that could be asked for and is not built; {@code where} is file:line:column. */
  public static KernelException providerNotSupported(String where, String reason) {
    return new KernelException(KernelErrorCode.PROVIDER_NOT_SUPPORTED, where + ": " + reason);
  }

  /** All of the errors as one, a line for each; they are also its suppressed exceptions. */
  public static KernelException multipleErrors(List<? extends CaliberException> errors) {
    var all =
        new KernelException(
            KernelErrorCode.MULTIPLE_ERRORS,
            errors.stream()
                .map(CaliberException::report)
                .collect(Collectors.joining("\n  ", errors.size() + " errors\n  ", "")));
    errors.forEach(all::addSuppressed);
    return all;
  }

  private static String quote(String found) {
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
