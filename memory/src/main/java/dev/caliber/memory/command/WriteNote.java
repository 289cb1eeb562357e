package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Confidence;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.TextChecks;
import dev.caliber.memory.record.TimeRange;
import java.util.List;
import java.util.Optional;

/**
 * Command that writes a note. A note that says nearly the same about the same entity is merged into
 * the existing one; one that contradicts another is written and linked to it.
 *
 * @param confidence from 0 to 1; empty: as configured
 */
public record WriteNote(
    String entity,
    String entityType,
    NoteType type,
    String content,
    Optional<Double> confidence,
    TimeRange valid,
    List<Id> sources,
    Labels labels)
    implements Command<Note> {
  public WriteNote {
    TextChecks.requireNotBlank("entity of a note", entity);
    TextChecks.requireNotBlank("entity type of a note", entityType);
    TextChecks.requireNotBlank("note", content);
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
        TimeRange.always(),
        List.of(),
        Labels.none());
  }

  public WriteNote withConfidence(double newConfidence) {
    return new WriteNote(
        entity, entityType, type, content, Optional.of(newConfidence), valid, sources, labels);
  }

  public WriteNote withValidity(TimeRange newValid) {
    return new WriteNote(entity, entityType, type, content, confidence, newValid, sources, labels);
  }

  public WriteNote withSource(Id trajectory) {
    return new WriteNote(
        entity, entityType, type, content, confidence, valid, List.of(trajectory), labels);
  }

  public WriteNote withLabels(Labels newLabels) {
    return new WriteNote(entity, entityType, type, content, confidence, valid, sources, newLabels);
  }
}
