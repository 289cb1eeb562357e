package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Note;
import java.time.Instant;

/** Says that a note holds no longer than until this time. */
public record EndNote(Id note, Instant end) implements Command<Note> {}
