/**
 * Composition of the context for a model call under a token budget. Start at {@link
 * ContextAssembler}.
 */
@NullMarked
package dev.caliber.memory.context;

import org.jspecify.annotations.NullMarked;
