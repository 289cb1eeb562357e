/**
 * Extension points of memory: token counting, summaries, extraction, contradictions and access
 * policy. Token counting and summaries have one implementation here that needs no model, and one in
 * the module {@code models}.
 */
@NullMarked
package dev.caliber.memory.spi;

import org.jspecify.annotations.NullMarked;
