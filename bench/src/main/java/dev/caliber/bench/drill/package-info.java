/**
 * Kills a process while memory closes scopes, runs policies and consolidates, and looks at what is
 * left. Start at {@link dev.caliber.bench.drill.MemoryDrill}.
 */
@NullMarked
package dev.caliber.bench.drill;

import org.jspecify.annotations.NullMarked;
