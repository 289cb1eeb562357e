/**
 * Gates of the build. Each gate is a class with one method {@code findings}, which one test runs on
 * the repository and another on a bad sample: a gate that cannot fail is not a gate. They read the
 * {@link Repository}.
 */
@NullMarked
package dev.caliber.gates;

import org.jspecify.annotations.NullMarked;
