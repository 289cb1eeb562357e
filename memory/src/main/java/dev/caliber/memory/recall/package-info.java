/**
 * Recall of notes, turns and artifacts, from the search index or by reading records. Start at
 * {@link IndexRecall}.
 */
@NullMarked
package dev.caliber.memory.recall;

import org.jspecify.annotations.NullMarked;
