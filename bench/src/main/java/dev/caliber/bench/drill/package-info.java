/**
 * Kills a process while memory closes scopes, runs policies and consolidates, and checks the store
 * afterwards. Start at {@link dev.caliber.bench.drill.MemoryDrill}.
 */
@NullMarked
package dev.caliber.bench.drill;

import org.jspecify.annotations.NullMarked;
