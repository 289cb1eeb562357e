package dev.caliber.memory.text;

import dev.caliber.memory.spi.FindingKind;

/**
 * Finding of a rule in a text.
 *
 * @param text the words of the text, verbatim
 * @param rule the rule that found it
 * @param confidence from 0 to 1, as configured for its kind
 */
public record TextFinding(FindingKind kind, String text, String rule, double confidence) {}
