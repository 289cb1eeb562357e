/** What every room stands on: ids, hashing, seams, errors, limits. No door: each type is small. */
@NullMarked
package dev.caliber.kernel;

import org.jspecify.annotations.NullMarked;
