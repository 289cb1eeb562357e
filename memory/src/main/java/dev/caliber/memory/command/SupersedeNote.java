package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Note;

/** Command that supersedes a note, which is retired and kept as history. */
public record SupersedeNote(Id old, WriteNote successor) implements Command<Note> {}
