package dev.caliber.lang.syntax;

/**
 * Leaves the part of the source that cannot be understood; whoever catches it goes on behind it.
 * Thrown after its diagnostic was reported, never seen outside the parser.
 */
@SuppressWarnings("serial") // never serialised
final class Unparsable extends RuntimeException {
  Unparsable() {
    super("a part of the source cannot be parsed", null, false, false);
  }
}
