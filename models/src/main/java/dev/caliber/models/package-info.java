/** Models that run in this process or answer by HTTP. */
@NullMarked
package dev.caliber.models;

import org.jspecify.annotations.NullMarked;
