package dev.caliber.memory.pcp;

import dev.caliber.memory.record.EntityRef;

/** Outcome of a contradiction: the record that was kept and the one that was ended. */
public record ContradictionResolution(EntityRef kept, EntityRef ended) {}
