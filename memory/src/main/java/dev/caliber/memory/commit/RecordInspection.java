package dev.caliber.memory.commit;

import dev.caliber.memory.event.MemoryEvent;
import dev.caliber.memory.event.MemoryEvent.ArtifactCreated;
import dev.caliber.memory.event.MemoryEvent.ArtifactDeduplicated;
import dev.caliber.memory.event.MemoryEvent.NoteMerged;
import dev.caliber.memory.event.MemoryEvent.NoteWritten;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.TracedRecord;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.memory.view.RecordInspector;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Inspection of notes and artifacts that an event writes; findings go to the trace. */
public record RecordInspection(MemoryDependencies parts) {

  public void inspectEvent(UnitOfWork unitOfWork, MemoryEvent event) {
    if (parts.extensions().inspectors().isEmpty()) {
      return;
    }
    MemoryView view = unitOfWork.view();
    switch (event) {
      case ArtifactCreated(var made) -> inspect(unitOfWork, made);
      case ArtifactDeduplicated(_, var id, _, _, _, _) -> inspect(unitOfWork, view.artifact(id));
      case NoteWritten(var note) -> inspect(unitOfWork, note);
      case NoteMerged(var id, _, _, _, _, _) -> inspect(unitOfWork, view.note(id));
      default -> {} // no other event changes content or confidence
    }
  }

  private void inspect(UnitOfWork unitOfWork, Artifact made) {
    TracedRecord about =
        new TracedRecord(
            EntityRef.of(EntityType.ARTIFACT, made.id()),
            Optional.of(made.trajectory()),
            Optional.of(made.scope()));
    runInspectors(unitOfWork, about, recordInspector -> recordInspector.inspect(made));
  }

  private void inspect(UnitOfWork unitOfWork, Note note) {
    runInspectors(
        unitOfWork,
        new NoteWritten(note).tracedRecord(),
        recordInspector -> recordInspector.inspect(note));
  }

  private void runInspectors(
      UnitOfWork unitOfWork, TracedRecord about, Function<RecordInspector, List<String>> looking) {
    Instant begun = parts.clock().instant();
    List<String> codes =
        parts.extensions().inspectors().stream()
            .flatMap(one -> looking.apply(one).stream())
            .toList();
    if (!codes.isEmpty()) {
      Transaction transaction = unitOfWork.transaction();
      transaction.append(
          TraceEvent.TABLE,
          TraceEvent.of(transaction, "validation_run", about)
              .withDetail(countByCode(codes))
              .withDuration(Duration.between(begun, parts.clock().instant())));
    }
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
