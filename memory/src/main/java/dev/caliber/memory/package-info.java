/**
 * Memory of agents: what agents did and learned. Every change is a command. Start at {@link
 * Memory}.
 */
@NullMarked
package dev.caliber.memory;

import org.jspecify.annotations.NullMarked;
