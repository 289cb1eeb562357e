/**
 * Text analysis without a model: sentences, summaries by extraction, findings by rules, similarity
 * and contradictions. Everything is a pure function of text and rules. Start at {@link
 * dev.caliber.memory.text.RuleBasedTextAnalyzer}.
 */
@NullMarked
package dev.caliber.memory.text;

import org.jspecify.annotations.NullMarked;
