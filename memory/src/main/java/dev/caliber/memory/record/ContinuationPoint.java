package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import java.time.Instant;

/**
 * Point from which a scope continues: the conversation of another scope up to a checkpoint. Nothing
 * is copied; those turns precede the scope's own, as they were at that time.
 *
 * @param before only turns before this position of their trajectory
 * @param at when the checkpoint was made
 */
public record ContinuationPoint(Id trajectory, Id scope, int before, Instant at) {}
