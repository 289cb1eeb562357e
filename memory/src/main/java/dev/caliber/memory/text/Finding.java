package dev.caliber.memory.text;

import dev.caliber.memory.spi.FindingKind;

/**
 * Something that a rule found in a text.
 *
 * @param text the words of the text, verbatim
 * @param rule the rule that found it
 * @param confidence from 0 to 1, as configured for its kind
 */
public record Finding(FindingKind kind, String text, String rule, double confidence) {}
