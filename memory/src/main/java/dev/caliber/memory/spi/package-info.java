/**
 * What memory asks of others: counting tokens, summarising, and who may do what. The first two have
 * one implementation here that needs no model, and one in the room {@code models}.
 */
@NullMarked
package dev.caliber.memory.spi;

import org.jspecify.annotations.NullMarked;
