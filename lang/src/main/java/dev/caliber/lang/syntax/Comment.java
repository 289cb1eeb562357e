package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.Span;

/**
 * A comment, slashes included.
 *
 * @param trailing whether something else stands before it on its line
 */
public record Comment(String text, Span span, boolean trailing) {}
