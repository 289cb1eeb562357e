/**
 * Indexes of spaces: generations that follow the feed, embedding, checking and clean-up. {@link
 * SearchIndexes} opens them.
 */
@NullMarked
package dev.caliber.store.search.index;

import org.jspecify.annotations.NullMarked;
