/**
 * Filling of a token budget: order of candidates, sizes, shortening and composition. Start at
 * {@link BudgetAllocator}.
 */
@NullMarked
package dev.caliber.memory.context.budget;

import org.jspecify.annotations.NullMarked;
