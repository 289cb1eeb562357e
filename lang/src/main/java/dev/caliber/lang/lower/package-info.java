/**
 * From a tree that passed every check to the compiled configuration. Start at {@link
 * dev.caliber.lang.lower.ConfigLowering}.
 */
@NullMarked
package dev.caliber.lang.lower;

import org.jspecify.annotations.NullMarked;
