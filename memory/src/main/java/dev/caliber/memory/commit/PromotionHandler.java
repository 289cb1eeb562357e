package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.PromoteRecord;
import dev.caliber.memory.event.MemoryEvent.RecordPromoted;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;

/** Handles the promotion of a record from one subject to the whole space. */
public record PromotionHandler(UnitOfWork desk) {

  public EntityRef promote(PromoteRecord command) {
    Id id = command.record();
    return desk.transaction()
        .find(Note.TABLE, id)
        .map(note -> promote(EntityRef.of(EntityType.NOTE, id), note.labels()))
        .or(
            () ->
                desk.transaction()
                    .find(Artifact.TABLE, id)
                    .map(made -> promote(EntityRef.of(EntityType.ARTIFACT, id), made.labels())))
        .orElseThrow(() -> missingRecordError(id));
  }

  private EntityRef promote(EntityRef record, Labels labels) {
    if (!labels.isPromoted()) {
      desk.emit(new RecordPromoted(record));
    }
    return record;
  }

  private MemoryException missingRecordError(Id id) {
    return desk.view()
        .tombstone(id)
        .map(MemoryException::forgotten)
        .orElseGet(() -> MemoryException.unknown(id));
  }
}
