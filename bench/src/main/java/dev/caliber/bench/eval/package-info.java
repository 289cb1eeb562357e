/**
 * Scores of retrieval and windows on data sets with known answers. Start at {@link EvalCommand}.
 */
@NullMarked
package dev.caliber.bench.eval;

import org.jspecify.annotations.NullMarked;
