/**
 * Context windows: composed from memory under a hard budget, with a ledger that explains each
 * inclusion and exclusion and allows an exact replay. Start at {@link
 * dev.caliber.memory.context.ContextAssembler}.
 *
 * <p>Collecting reads one snapshot and the index; composing is a pure function of the candidates
 * and the {@link dev.caliber.memory.context.CompositionSettings}.
 * docs/decisions/0040-context-windows.md says why.
 */
@NullMarked
package dev.caliber.memory.context;

import org.jspecify.annotations.NullMarked;
