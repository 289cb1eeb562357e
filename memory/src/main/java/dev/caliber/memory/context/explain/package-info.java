/**
 * Explanation of a window, and the differences between two windows, with reasons. Start at {@link
 * WindowExplanation}.
 */
@NullMarked
package dev.caliber.memory.context.explain;

import org.jspecify.annotations.NullMarked;
