/** Fixtures of tests of search. Start at {@link dev.caliber.testkit.search.SearchFixture}. */
@NullMarked
package dev.caliber.testkit.search;

import org.jspecify.annotations.NullMarked;
