/**
 * Measures Caliber against its foundations, in one run on one machine. Start at {@link
 * dev.caliber.bench.Main}, the {@code bench} command; each section of a report is one class.
 */
@NullMarked
package dev.caliber.bench;

import org.jspecify.annotations.NullMarked;
