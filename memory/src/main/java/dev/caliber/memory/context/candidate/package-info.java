/**
 * Candidates of a window: rules, visible records, search, trust and quality of sources. Start at
 * {@link CandidateCollector}.
 */
@NullMarked
package dev.caliber.memory.context.candidate;

import org.jspecify.annotations.NullMarked;
