/**
 * Foundation of all modules: ids, hashing, error codes, limits, and interfaces to clock and
 * randomness. There is no single entry point: each type is small.
 */
@NullMarked
package dev.caliber.kernel;

import org.jspecify.annotations.NullMarked;
