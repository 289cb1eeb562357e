/**
 * Reads prompts in Markdown into sections, tool calls and references, or a list of errors. Start at
 * {@link dev.caliber.lang.prompt.PromptReader}; {@link dev.caliber.lang.prompt.ReferenceScanner}
 * scans any text.
 */
@NullMarked
package dev.caliber.lang.prompt;

import org.jspecify.annotations.NullMarked;
