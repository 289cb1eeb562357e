package dev.caliber.memory;

import dev.caliber.kernel.Id;

/** Writes a note in the place of one that is no longer believed; the old one stays as history. */
public record SupersedeNote(Id old, WriteNote successor) implements Command<Note> {}
