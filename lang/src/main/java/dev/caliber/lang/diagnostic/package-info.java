/**
 * What a compiler tells the writer of a configuration. A {@link
 * dev.caliber.lang.diagnostic.Diagnostic} says what is wrong, where, and what would be right.
 */
@NullMarked
package dev.caliber.lang.diagnostic;

import org.jspecify.annotations.NullMarked;
