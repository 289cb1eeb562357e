package dev.caliber.memory.spi;

import dev.caliber.kernel.Id;

/** Text and the record it came from, such as a turn. */
public record Passage(Id source, String speaker, String text) {}
