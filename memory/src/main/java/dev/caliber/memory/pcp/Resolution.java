package dev.caliber.memory.pcp;

import dev.caliber.memory.record.EntityRef;

/** Which of two that contradict each other has stayed. */
public record Resolution(EntityRef kept, EntityRef ended) {}
