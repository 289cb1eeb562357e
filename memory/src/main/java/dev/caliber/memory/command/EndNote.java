package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Note;
import java.time.Instant;

/** Command that ends the validity of a note at a time. */
public record EndNote(Id id, Instant end) implements Command<Note> {}
