package dev.caliber.memory;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.memory.command.Consolidate;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Period;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Texts;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.Query;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Makes notes of the artifacts that a trajectory leaves. */
final class ConsolidationWork {
  private final Desk desk;
  private final NoteWork notes;
  private final Guard guard;

  ConsolidationWork(Desk desk, NoteWork notes) {
    this.desk = desk;
    this.notes = notes;
    this.guard = new Guard(desk.config().limits());
  }

  List<Id> consolidate(Consolidate command) {
    Trajectory trajectory = desk.view().trajectory(command.trajectory());
    Set<Id> all = new LinkedHashSet<>();
    Stream.of(ArtifactType.values())
        .filter(kind -> type(kind).isPresent())
        .sorted(Comparator.comparing(ArtifactType::name))
        .map(kind -> ofType(trajectory.id(), kind))
        .forEach(
            found ->
                desk.view()
                    .each(found, artifact -> made(trajectory, artifact).ifPresent(all::add)));
    return List.copyOf(all);
  }

  private static Query<Artifact> ofType(Id trajectory, ArtifactType kind) {
    return Query.over(Artifact.TABLE, "trajectory", "type", "created_at")
        .equal(trajectory, kind.name());
  }

  /** What one scope of a trajectory has. */
  void consolidate(Scope scope) {
    Trajectory trajectory = desk.view().trajectory(scope.trajectory());
    desk.view()
        .each(
            Query.over(Artifact.TABLE, "scope").equal(scope.id()),
            artifact -> made(trajectory, artifact));
  }

  private Optional<Id> made(Trajectory trajectory, Artifact artifact) {
    return Optional.of(artifact)
        .filter(found -> found.isLive(desk.now()))
        .flatMap(found -> accepted(trajectory, found))
        .map(notes::write)
        .map(Note::id);
  }

  /** What cannot be a note is left out, and the trace says so; the others go on. */
  private Optional<WriteNote> accepted(Trajectory trajectory, Artifact artifact) {
    try {
      Optional<WriteNote> note = note(trajectory, artifact);
      note.ifPresent(guard::check);
      return note;
    } catch (CaliberException e) {
      desk.transaction()
          .insert(
              TraceEvent.TABLE,
              TraceEvent.of(
                      desk.transaction(),
                      "consolidation_skipped",
                      EntityRef.of(EntityType.ARTIFACT, artifact.id()),
                      Optional.of(trajectory.id()))
                  .in(Optional.of(artifact.scope()))
                  .saying(e.code().text()));
      return Optional.empty();
    }
  }

  private Optional<WriteNote> note(Trajectory trajectory, Artifact artifact) {
    return type(artifact.type())
        .flatMap(type -> words(artifact).map(words -> note(trajectory, artifact, type, words)));
  }

  /** Whom a note is about. */
  private record About(String entity, EntityType sort) {}

  /** Whom the finder has named, else the subject, if there is one, else whoever has the task. */
  private static About about(Trajectory trajectory, Artifact artifact, Labels labels) {
    return Optional.ofNullable(artifact.labels().metadata().get(Digest.ABOUT))
        .map(Object::toString)
        .filter(named -> !named.isBlank())
        .map(named -> new About(named, EntityType.NOTE))
        .or(() -> labels.subject().map(subject -> new About(subject, EntityType.SUBJECT)))
        .orElseGet(() -> new About(trajectory.initiator().id(), trajectory.initiator().type()));
  }

  private static WriteNote note(
      Trajectory trajectory, Artifact artifact, NoteType type, String words) {
    Labels labels = artifact.labels().subjectOnly().or(trajectory.labels().subjectOnly());
    About about = about(trajectory, artifact, labels);
    return new WriteNote(
        about.entity(),
        about.sort().word(),
        type,
        words,
        artifact.provenance().confidence(),
        Period.always(),
        List.of(trajectory.id()),
        labels);
  }

  /** The words if they are text that a note can hold; of an error its first line. */
  private Optional<String> words(Artifact artifact) {
    return artifact
        .content()
        .text()
        .map(text -> artifact.type() == ArtifactType.ERROR_LOG ? firstLine(text) : text.strip())
        .filter(text -> !text.isEmpty())
        .filter(text -> Texts.bytes(text) <= desk.config().limits().note().bytes());
  }

  private static String firstLine(String text) {
    return text.strip().lines().findFirst().orElse("");
  }

  private static Optional<NoteType> type(ArtifactType type) {
    return switch (type) {
      case ERROR_LOG -> Optional.of(NoteType.GOTCHA);
      case DESIGN_DECISION -> Optional.of(NoteType.STRATEGY);
      case USER_PREFERENCE -> Optional.of(NoteType.PREFERENCE);
      case FACT -> Optional.of(NoteType.FACT);
      case CONSTRAINT -> Optional.of(NoteType.CONVENTION);
      case CODE_PATCH, TOOL_RESULT, INTERMEDIATE_OUTPUT, CUSTOM -> Optional.empty();
    };
  }
}
