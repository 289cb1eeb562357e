/**
 * Forgetting: coverage of a request, the records and quotes to remove, and data that other modules
 * derived. Start at {@link ForgetPlan}.
 */
@NullMarked
package dev.caliber.memory.forget;

import org.jspecify.annotations.NullMarked;
