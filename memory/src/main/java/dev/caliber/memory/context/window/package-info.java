/**
 * The assembled window: request, sections, candidates, scores, and the ledger of decisions. Start
 * at {@link Window}.
 */
@NullMarked
package dev.caliber.memory.context.window;

import org.jspecify.annotations.NullMarked;
