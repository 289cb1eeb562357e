/** Measurements of the record store, beside plain JDBC. Start at {@link StoreBench}. */
@NullMarked
package dev.caliber.bench.store;

import org.jspecify.annotations.NullMarked;
