package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryEvent;
import dev.caliber.memory.record.MemoryEvent.ArtifactCreated;
import dev.caliber.memory.record.MemoryEvent.ArtifactSeenAgain;
import dev.caliber.memory.record.MemoryEvent.NoteMerged;
import dev.caliber.memory.record.MemoryEvent.NoteWritten;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Has the notes and artifacts that an event writes looked over, and traces what is wrong. */
record Inspecting(Transaction transaction, MemoryView view, MemoryParts parts) {

  void after(MemoryEvent event) {
    if (parts.rooms().inspectors().isEmpty()) {
      return;
    }
    switch (event) {
      case ArtifactCreated(var made) -> inspect(made);
      case ArtifactSeenAgain(_, var id, _, _, _, _) -> inspect(view.artifact(id));
      case NoteWritten(var note) -> inspect(note);
      case NoteMerged(var id, _, _, _, _, _) -> inspect(view.note(id));
      default -> {} // of all the others none says what was not said before, or how sure it is
    }
  }

  private void inspect(Artifact made) {
    look(inspector -> inspector.inspect(made))
        .ifPresent(
            found ->
                trace(
                    found,
                    EntityRef.of(EntityType.ARTIFACT, made.id()),
                    Optional.of(made.trajectory()),
                    Optional.of(made.scope())));
  }

  private void inspect(Note note) {
    look(inspector -> inspector.inspect(note))
        .ifPresent(
            found ->
                trace(
                    found,
                    EntityRef.of(EntityType.NOTE, note.id()),
                    note.sources().stream().findFirst(),
                    Optional.empty()));
  }

  private record Found(List<String> codes, Duration taken) {}

  private Optional<Found> look(Function<Inspector, List<String>> looking) {
    Instant begun = parts.clock().instant();
    List<String> codes =
        parts.rooms().inspectors().stream().flatMap(one -> looking.apply(one).stream()).toList();
    return codes.isEmpty()
        ? Optional.empty()
        : Optional.of(new Found(codes, Duration.between(begun, parts.clock().instant())));
  }

  private void trace(Found found, EntityRef record, Optional<Id> trajectory, Optional<Id> scope) {
    transaction.append(
        TraceEvent.TABLE,
        TraceEvent.of(transaction, "validation_run", record, trajectory)
            .in(scope)
            .saying(counted(found.codes))
            .lasting(found.taken));
  }

  /** Each with its number. */
  private static String counted(List<String> codes) {
    return codes.stream()
        .collect(Collectors.groupingBy(code -> code, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(code -> code.getKey() + " " + code.getValue())
        .collect(Collectors.joining(", "));
  }
}
