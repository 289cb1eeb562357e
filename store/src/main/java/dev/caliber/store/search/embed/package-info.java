/**
 * Vectors of texts: their cache in the store, chunks, the calibration of a model, and vectors of
 * queries. Start at {@link EmbeddingCache}.
 */
@NullMarked
package dev.caliber.store.search.embed;

import org.jspecify.annotations.NullMarked;
