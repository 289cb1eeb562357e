/**
 * From a tree that passed every check to the compiled configuration. Start at {@link
 * dev.caliber.lang.lower.Lowering}.
 */
@NullMarked
package dev.caliber.lang.lower;

import org.jspecify.annotations.NullMarked;
