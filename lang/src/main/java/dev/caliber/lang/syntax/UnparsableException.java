package dev.caliber.lang.syntax;

/**
 * Leaves a part of the source that cannot be parsed; the catching parser continues behind it.
 * Thrown after its diagnostic was reported, never seen outside the parser.
 */
@SuppressWarnings("serial") // never serialised
final class UnparsableException extends RuntimeException {
  UnparsableException() {
    super("a part of the source cannot be parsed", null, false, false);
  }
}
