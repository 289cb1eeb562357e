/**
 * Reads of memory as of one snapshot, its settings, and the listeners that other modules register.
 * Start at {@link MemoryView}.
 */
@NullMarked
package dev.caliber.memory.view;

import org.jspecify.annotations.NullMarked;
