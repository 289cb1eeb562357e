/**
 * Deferred work that is stored in the database: jobs, and work that takes several commits. Start at
 * {@link Jobs}.
 */
@NullMarked
package dev.caliber.store.job;

import org.jspecify.annotations.NullMarked;
