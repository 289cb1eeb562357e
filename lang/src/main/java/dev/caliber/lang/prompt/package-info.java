/**
 * Prompts in Markdown: from a file to its sections, tool calls and references, or to all that is
 * wrong with it. Start at {@link dev.caliber.lang.prompt.PromptReader}; {@link
 * dev.caliber.lang.prompt.References} and {@link dev.caliber.lang.prompt.Secrets} look at any text.
 */
@NullMarked
package dev.caliber.lang.prompt;

import org.jspecify.annotations.NullMarked;
