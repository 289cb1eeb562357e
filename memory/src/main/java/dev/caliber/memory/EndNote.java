package dev.caliber.memory;

import dev.caliber.kernel.Id;
import java.time.Instant;

/** Says that a note holds no longer than until this time. */
public record EndNote(Id note, Instant end) implements Command<Note> {}
