/**
 * What memory asks of others: counting tokens and summarising. Each has one implementation here
 * that needs no model, and one in the room {@code models}.
 */
@NullMarked
package dev.caliber.memory.spi;

import org.jspecify.annotations.NullMarked;
