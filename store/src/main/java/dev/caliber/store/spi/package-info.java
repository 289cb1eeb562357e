/** What the store asks of others: whoever turns text into vectors implements {@link Embedder}. */
@NullMarked
package dev.caliber.store.spi;

import org.jspecify.annotations.NullMarked;
