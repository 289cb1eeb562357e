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

/** Inspection of notes and artifacts that an event writes; findings go to the trace. */
record RecordInspection(Transaction transaction, MemoryView view, MemoryDependencies parts) {

  void inspectEvent(MemoryEvent event) {
    if (parts.extensions().inspectors().isEmpty()) {
      return;
    }
    switch (event) {
      case ArtifactCreated(var made) -> inspect(made);
      case ArtifactSeenAgain(_, var id, _, _, _, _) -> inspect(view.artifact(id));
      case NoteWritten(var note) -> inspect(note);
      case NoteMerged(var id, _, _, _, _, _) -> inspect(view.note(id));
      default -> {} // no other event changes content or confidence
    }
  }

  private void inspect(Artifact made) {
    runInspectors(recordInspector -> recordInspector.inspect(made))
        .ifPresent(
            inspectionResult ->
                trace(
                    inspectionResult,
                    EntityRef.of(EntityType.ARTIFACT, made.id()),
                    Optional.of(made.trajectory()),
                    Optional.of(made.scope())));
  }

  private void inspect(Note note) {
    runInspectors(recordInspector -> recordInspector.inspect(note))
        .ifPresent(
            inspectionResult ->
                trace(
                    inspectionResult,
                    EntityRef.of(EntityType.NOTE, note.id()),
                    note.sources().stream().findFirst(),
                    Optional.empty()));
  }

  private record InspectionResult(List<String> codes, Duration taken) {}

  private Optional<InspectionResult> runInspectors(
      Function<RecordInspector, List<String>> looking) {
    Instant begun = parts.clock().instant();
    List<String> codes =
        parts.extensions().inspectors().stream()
            .flatMap(one -> looking.apply(one).stream())
            .toList();
    return codes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new InspectionResult(codes, Duration.between(begun, parts.clock().instant())));
  }

  private void trace(
      InspectionResult inspectionResult,
      EntityRef record,
      Optional<Id> trajectory,
      Optional<Id> scope) {
    transaction.append(
        TraceEvent.TABLE,
        TraceEvent.of(transaction, "validation_run", record, trajectory)
            .withScope(scope)
            .withDetail(countByCode(inspectionResult.codes))
            .withDuration(inspectionResult.taken));
  }

  /** Joins the codes, each with its count. */
  private static String countByCode(List<String> codes) {
    return codes.stream()
        .collect(Collectors.groupingBy(code -> code, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(code -> code.getKey() + " " + code.getValue())
        .collect(Collectors.joining(", "));
  }
}
