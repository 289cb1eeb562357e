/** Interface that the store's users implement: {@link Embedder} turns texts into vectors. */
@NullMarked
package dev.caliber.store.spi;

import org.jspecify.annotations.NullMarked;
