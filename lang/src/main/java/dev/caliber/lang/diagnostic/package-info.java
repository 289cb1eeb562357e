/**
 * Diagnostics for the author of a configuration. A {@link dev.caliber.lang.diagnostic.Diagnostic}
 * has the problem, its position and the correction.
 */
@NullMarked
package dev.caliber.lang.diagnostic;

import org.jspecify.annotations.NullMarked;
