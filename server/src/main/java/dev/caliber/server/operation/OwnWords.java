package dev.caliber.server.operation;

import dev.caliber.agents.Agents;
import dev.caliber.agents.Needs;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.store.Transaction;
import java.util.List;

/**
 * What whoever may write notes and not read them is told of a note: what it has said itself,
 * whichever note that was merged into.
 */
record OwnWords(Agents agents) {

  /** Whether all of it is told. */
  boolean reads(Transaction transaction, Caller caller) {
    return caller
        .agent()
        .map(agent -> agents.allows(transaction, agent, Needs.reading(MemoryKind.NOTE)))
        .orElse(true);
  }

  Note of(Note note, WriteNote said) {
    return new Note(
        note.id(),
        note.version(),
        note.entity(),
        note.entityType(),
        note.type(),
        said.content(),
        said.confidence().orElse(note.confidence()),
        note.valid(),
        said.sources(),
        List.of(),
        note.supersededBy(),
        List.of(),
        said.labels(),
        note.createdAt(),
        note.recordedAt(),
        note.retiredAt());
  }
}
