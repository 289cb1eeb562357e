/**
 * Context windows: composed from memory under a hard budget, with a ledger that says why each
 * candidate is in or out and gives the same bytes again. Start at {@link
 * dev.caliber.memory.context.ContextAssembler}.
 *
 * <p>Gathering reads one snapshot and the index; composing is a pure function of what was gathered
 * and of the {@link dev.caliber.memory.context.Recipe}. docs/decisions/0040-context-windows.md says
 * why.
 */
@NullMarked
package dev.caliber.memory.context;

import org.jspecify.annotations.NullMarked;
