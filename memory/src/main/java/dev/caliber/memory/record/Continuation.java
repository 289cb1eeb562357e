package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import java.time.Instant;

/**
 * What a scope goes on from: the conversation of another one up to a checkpoint. Nothing is copied;
 * those turns stand before the scope's own, as they were at that time.
 *
 * @param before only turns before this position of their trajectory
 * @param at when the checkpoint was made
 */
public record Continuation(Id trajectory, Id scope, int before, Instant at) {}
