package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.Span;

/**
 * A comment, slashes included.
 *
 * @param trailing whether its line has code before it
 */
public record Comment(String text, Span span, boolean trailing) {}
