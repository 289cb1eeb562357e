/** What agents did and learned. The doors are the public interfaces of this package. */
@NullMarked
package dev.caliber.memory;

import org.jspecify.annotations.NullMarked;
