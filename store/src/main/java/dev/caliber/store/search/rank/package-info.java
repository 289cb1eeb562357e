/**
 * Ranking: reading of a query, the channels that score documents, and their fusion. Start at {@link
 * CandidateRanker}.
 */
@NullMarked
package dev.caliber.store.search.rank;

import org.jspecify.annotations.NullMarked;
