/**
 * The configuration language: compiles a source to a configuration, or to a list of its errors.
 * Start at {@link dev.caliber.lang.Compiler}; {@link dev.caliber.lang.Formatter} writes sources in
 * their canonical form.
 */
@NullMarked
package dev.caliber.lang;

import org.jspecify.annotations.NullMarked;
