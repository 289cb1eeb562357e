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
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Period;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Texts;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.Jobs;
import dev.caliber.store.PageCursor;
import java.util.List;
import java.util.Optional;

/** Makes notes of the artifacts that a trajectory leaves, at most so many in a commit. */
final class ConsolidationWork {
  private final Desk desk;
  private final NoteWork notes;
  private final Guard guard;

  ConsolidationWork(Desk desk, NoteWork notes) {
    this.desk = desk;
    this.notes = notes;
    this.guard = new Guard(desk.config().limits());
  }

  /** In the commit of somebody else, which has to hold all of it. */
  List<Id> consolidate(Consolidate command) {
    Trajectory trajectory = desk.view().trajectory(command.trajectory());
    int most = desk.config().consolidated();
    Made made = made(trajectory, Optional.empty(), Optional.empty(), most);
    if (made.next().isPresent()) {
      throw MemoryException.tooMuchForOneCommit(trajectory.id(), most);
    }
    return made.notes();
  }

  /** The first commit of its own; what it does not hold is a run from then on. */
  Consolidating.Part begin(Consolidate command, int most) {
    Trajectory trajectory = desk.view().trajectory(command.trajectory());
    Made made = made(trajectory, Optional.empty(), Optional.empty(), most);
    return new Consolidating.Part(
        made.notes(), made.next().map(further -> rest(trajectory.id(), further)));
  }

  private PolicyRun rest(Id trajectory, PageCursor further) {
    PolicyRun run =
        Triggers.consolidation(trajectory, desk.newId())
            .run(List.of(Triggers.CONSOLIDATING), desk.now())
            .reached(further, desk.now());
    PolicyRun begun = run.seenToBy(later(run));
    desk.transaction().insert(PolicyRun.TABLE, begun);
    return begun;
  }

  /** Not before whoever goes on at once has had the time to. */
  private Id later(PolicyRun run) {
    return Jobs.schedule(
        desk.transaction(),
        Triggers.job(run, desk.now().plus(desk.config().notes().consolidation().patience())));
  }

  /** The next commit of whoever waits; where a job goes on by now, that one has it. */
  Consolidating.Part goOn(PolicyRun last, int most) {
    PolicyRun run =
        desk.transaction()
            .find(PolicyRun.TABLE, last.id())
            .filter(found -> !found.isDone() && found.place().equals(last.place()))
            .orElseThrow(() -> gone(last));
    Made made = consolidate(run, most);
    run.job().ifPresent(job -> desk.transaction().delete(Jobs.TABLE, job));
    Optional<PolicyRun> rest =
        made.next()
            .map(further -> run.reached(further, desk.now()))
            .map(further -> further.seenToBy(later(further)));
    PolicyWork.move(desk, rest.orElseGet(() -> run.advanced(desk.now())));
    return new Consolidating.Part(made.notes(), rest);
  }

  /** A task that was forgotten meanwhile has taken its run along: nobody goes on with it. */
  private MemoryException gone(PolicyRun last) {
    last.trajectory().ifPresent(desk.view()::trajectory);
    return MemoryException.takenOver(Triggers.JOB);
  }

  /** What one commit has made, and where the next one goes on. */
  record Made(List<Id> notes, Optional<PageCursor> next) {}

  /** The next portion of a run about a task or a scope, looking at no more than so many. */
  Made consolidate(PolicyRun run, int most) {
    return run.trajectory()
        .map(desk.view()::trajectory)
        .map(trajectory -> made(trajectory, run.scope(), run.place(), most))
        .orElseGet(() -> new Made(List.of(), Optional.empty()));
  }

  private Made made(
      Trajectory trajectory, Optional<Id> scope, Optional<PageCursor> place, int most) {
    ArtifactWalk walk =
        scope
            .map(id -> ArtifactWalk.ofScope(desk.transaction(), id))
            .orElseGet(
                () ->
                    ArtifactWalk.ofTask(
                        desk.transaction(), trajectory.id(), kind -> type(kind).isPresent()));
    ArtifactWalk.Portion portion = walk.from(place, most);
    List<Id> notes =
        portion.artifacts().stream()
            .flatMap(artifact -> made(trajectory, artifact).stream())
            .distinct()
            .toList();
    return new Made(notes, portion.next());
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
          .append(
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
