/** Measurements of search, beside raw Lucene. Start at {@link SearchBench}. */
@NullMarked
package dev.caliber.bench.search;

import org.jspecify.annotations.NullMarked;
