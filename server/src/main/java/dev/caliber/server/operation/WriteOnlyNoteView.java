package dev.caliber.server.operation;

import dev.caliber.agents.Agents;
import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.store.Transaction;
import java.util.List;

/**
 * A view of a note for callers with write but no read permission on notes: it shows only the fields
 * that the caller sent, even if the note was merged into an existing one.
 */
record WriteOnlyNoteView(Agents agents) {

  /** Returns whether the caller may see the whole note. */
  boolean canReadNotes(Transaction transaction, Caller caller) {
    return caller
        .agent()
        .map(
            agent ->
                agents.hasPermissions(
                    transaction, agent, RequiredPermissions.forReading(MemoryKind.NOTE)))
        .orElse(true);
  }

  Note redactNote(Note note, WriteNote sent) {
    return new Note(
        note.id(),
        note.version(),
        note.entity(),
        note.entityType(),
        note.type(),
        sent.content(),
        sent.confidence().orElse(note.confidence()),
        note.valid(),
        sent.sources(),
        List.of(),
        note.supersededBy(),
        List.of(),
        sent.labels(),
        note.createdAt(),
        note.recordedAt(),
        note.retiredAt());
  }
}
