package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Note;

/** Writes a note in the place of one that is no longer believed; the old one stays as history. */
public record SupersedeNote(Id old, WriteNote successor) implements Command<Note> {}
