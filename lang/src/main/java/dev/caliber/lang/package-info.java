/**
 * The configuration language: from source to a compiled configuration, or to all that is wrong with
 * it. Start at {@link dev.caliber.lang.Compiler}; {@link dev.caliber.lang.Formatter} writes sources
 * in their canonical form.
 */
@NullMarked
package dev.caliber.lang;

import org.jspecify.annotations.NullMarked;
