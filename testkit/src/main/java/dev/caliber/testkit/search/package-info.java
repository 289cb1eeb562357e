/** Guarantees of search, for every engine: {@link dev.caliber.testkit.search.SearchContract}. */
@NullMarked
package dev.caliber.testkit.search;

import org.jspecify.annotations.NullMarked;
