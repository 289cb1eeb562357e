/**
 * Search over records of declared tables: declaration, query, result and settings. Start at {@link
 * SearchIndex}. The index is derived: it follows the change feed, can be deleted at any time, and
 * is never the source of truth.
 */
@NullMarked
package dev.caliber.store.search;

import org.jspecify.annotations.NullMarked;
