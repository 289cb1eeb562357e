/** Measuring: loads, samples, figures, reports and facts of the machine. Start at {@link Load}. */
@NullMarked
package dev.caliber.bench.harness;

import org.jspecify.annotations.NullMarked;
