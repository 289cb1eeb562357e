/**
 * Search for records by meaning, words, neighbourhood, time and trust. Start at {@link
 * dev.caliber.store.search.SearchIndex}; a table becomes searchable by a {@link
 * dev.caliber.store.search.Searchable}.
 *
 * <p>The index is derived: it follows the change feed, can be deleted at any time, and is never the
 * source of truth. {@code IndexFormatV1} describes its directories.
 */
@NullMarked
package dev.caliber.store.search;

import org.jspecify.annotations.NullMarked;
