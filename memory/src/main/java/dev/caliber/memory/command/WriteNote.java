package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Confidence;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Period;
import dev.caliber.memory.record.Texts;
import java.util.List;
import java.util.Optional;

/**
 * Writes a note. One that says nearly the same about the same thing is merged into the note that is
 * there; one that contradicts another is written and linked to it.
 *
 * @param confidence from 0 to 1; empty: as configured
 */
public record WriteNote(
    String entity,
    String entityType,
    NoteType type,
    String content,
    Optional<Double> confidence,
    Period valid,
    List<Id> sources,
    Labels labels)
    implements Command<Note> {
  public WriteNote {
    Texts.requireFilled("entity of a note", entity);
    Texts.requireFilled("entity type of a note", entityType);
    Texts.requireFilled("note", content);
    confidence.ifPresent(Confidence::require);
    sources = List.copyOf(sources);
  }

  public static WriteNote of(String entity, String entityType, NoteType type, String content) {
    return new WriteNote(
        entity,
        entityType,
        type,
        content,
        Optional.empty(),
        Period.always(),
        List.of(),
        Labels.none());
  }

  public WriteNote sure(double newConfidence) {
    return new WriteNote(
        entity, entityType, type, content, Optional.of(newConfidence), valid, sources, labels);
  }

  public WriteNote holding(Period newValid) {
    return new WriteNote(entity, entityType, type, content, confidence, newValid, sources, labels);
  }

  public WriteNote learnedIn(Id trajectory) {
    return new WriteNote(
        entity, entityType, type, content, confidence, valid, List.of(trajectory), labels);
  }

  public WriteNote labelled(Labels newLabels) {
    return new WriteNote(entity, entityType, type, content, confidence, valid, sources, newLabels);
  }
}
