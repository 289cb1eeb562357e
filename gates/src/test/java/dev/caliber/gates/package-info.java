/**
 * What the build refuses. Each gate is a class with one method {@code findings}, so that one test
 * holds the house to it and another shows it failing on a bad sample: a gate that cannot fail is
 * not a gate. {@link House} is what they look at.
 */
@NullMarked
package dev.caliber.gates;

import org.jspecify.annotations.NullMarked;
