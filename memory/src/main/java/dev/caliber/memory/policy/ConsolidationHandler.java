package dev.caliber.memory.policy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.commit.NoteHandler;
import dev.caliber.memory.commit.RuleBasedExtraction;
import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.TextChecks;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.ArtifactScanner;
import dev.caliber.memory.view.InputLimits;
import dev.caliber.store.PageCursor;
import dev.caliber.store.job.Jobs;
import java.util.List;
import java.util.Optional;

/** Makes notes of the artifacts of a trajectory, one batch in a commit. */
public final class ConsolidationHandler {
  /** Notes of one commit, and the run that continues with the rest. */
  public record ConsolidationProgress(List<Id> notes, Optional<PolicyRun> rest) {}

  private final UnitOfWork unitOfWork;
  private final NoteHandler notes;
  private final InputLimits inputLimits;

  public ConsolidationHandler(UnitOfWork unitOfWork, NoteHandler notes) {
    this.unitOfWork = unitOfWork;
    this.notes = notes;
    this.inputLimits = new InputLimits(unitOfWork.config().limits());
  }

  /** Consolidates as part of a larger commit, which has to hold all notes. */
  public List<Id> consolidate(ConsolidateTrajectory command) {
    Trajectory trajectory = unitOfWork.view().trajectory(command.trajectory());
    int most = unitOfWork.config().consolidationBatch();
    ConsolidatedBatch consolidatedBatch =
        consolidateBatch(trajectory, Optional.empty(), Optional.empty(), most);
    if (consolidatedBatch.next().isPresent()) {
      throw MemoryException.tooMuchForOneCommit(trajectory.id(), most);
    }
    return consolidatedBatch.notes();
  }

  /** Consolidates the first batch; further batches belong to a policy run. */
  public ConsolidationProgress consolidateFirstBatch(ConsolidateTrajectory command, int most) {
    Trajectory trajectory = unitOfWork.view().trajectory(command.trajectory());
    ConsolidatedBatch consolidatedBatch =
        consolidateBatch(trajectory, Optional.empty(), Optional.empty(), most);
    return new ConsolidationProgress(
        consolidatedBatch.notes(),
        consolidatedBatch.next().map(further -> startRun(trajectory.id(), further)));
  }

  private PolicyRun startRun(Id trajectory, PageCursor further) {
    PolicyRun run =
        PolicyRunStarter.consolidationOccurrence(trajectory, unitOfWork.newId())
            .newRun(List.of(PolicyRunStarter.CONSOLIDATING), unitOfWork.now())
            .withCursor(further, unitOfWork.now());
    PolicyRun begun = run.withJob(scheduleContinuation(run));
    unitOfWork.transaction().insert(PolicyRun.TABLE, begun);
    return begun;
  }

  /** Schedules the job that continues the run, delayed so that the caller can continue first. */
  private Id scheduleContinuation(PolicyRun run) {
    return Jobs.schedule(
        unitOfWork.transaction(),
        PolicyRunStarter.jobRequest(
            run, unitOfWork.now().plus(unitOfWork.config().notes().consolidation().resumeAfter())));
  }

  /** Consolidates the next batch for the waiting caller; refused if the job has taken over. */
  public ConsolidationProgress continueRun(PolicyRun last, int most) {
    PolicyRun run =
        unitOfWork
            .transaction()
            .find(PolicyRun.TABLE, last.id())
            .filter(found -> !found.isDone() && found.place().equals(last.place()))
            .orElseThrow(() -> lostRunError(last));
    ConsolidatedBatch consolidatedBatch = consolidateNextBatch(run, most);
    run.job().ifPresent(job -> unitOfWork.transaction().delete(Jobs.TABLE, job));
    Optional<PolicyRun> rest =
        consolidatedBatch
            .next()
            .map(further -> run.withCursor(further, unitOfWork.now()))
            .map(further -> further.withJob(scheduleContinuation(further)));
    PolicyStepHandler.saveProgress(
        unitOfWork, rest.orElseGet(() -> run.atNextStep(unitOfWork.now())));
    return new ConsolidationProgress(consolidatedBatch.notes(), rest);
  }

  /** Returns the error for a run that the job took over; throws if the trajectory is gone. */
  private MemoryException lostRunError(PolicyRun last) {
    last.trajectory().ifPresent(unitOfWork.view()::trajectory);
    return MemoryException.leaseLost(PolicyRunStarter.JOB);
  }

  /** Notes of one commit, and the cursor of the next one. */
  record ConsolidatedBatch(List<Id> notes, Optional<PageCursor> next) {}

  /** Consolidates the next batch of a run, reading at most {@code most} artifacts. */
  ConsolidatedBatch consolidateNextBatch(PolicyRun run, int most) {
    return run.trajectory()
        .map(unitOfWork.view()::trajectory)
        .map(trajectory -> consolidateBatch(trajectory, run.scope(), run.place(), most))
        .orElseGet(() -> new ConsolidatedBatch(List.of(), Optional.empty()));
  }

  private ConsolidatedBatch consolidateBatch(
      Trajectory trajectory, Optional<Id> scope, Optional<PageCursor> place, int most) {
    ArtifactScanner walk =
        scope
            .map(id -> ArtifactScanner.ofScope(unitOfWork.transaction(), id))
            .orElseGet(
                () ->
                    ArtifactScanner.ofTask(
                        unitOfWork.transaction(),
                        trajectory.id(),
                        kind -> noteType(kind).isPresent()));
    ArtifactScanner.ArtifactBatch artifactBatch = walk.readFrom(place, most);
    List<Id> notes =
        artifactBatch.artifacts().stream()
            .flatMap(artifact -> writeNote(trajectory, artifact).stream())
            .distinct()
            .toList();
    return new ConsolidatedBatch(notes, artifactBatch.next());
  }

  private Optional<Id> writeNote(Trajectory trajectory, Artifact artifact) {
    return Optional.of(artifact)
        .filter(found -> found.isLive(unitOfWork.now()))
        .flatMap(found -> validNote(trajectory, found))
        .map(notes::write)
        .map(Note::id);
  }

  /** Drafts a note if the artifact allows one. Others are skipped with a trace event. */
  private Optional<WriteNote> validNote(Trajectory trajectory, Artifact artifact) {
    try {
      Optional<WriteNote> note = draftNote(trajectory, artifact);
      note.ifPresent(inputLimits::check);
      return note;
    } catch (CaliberException e) {
      unitOfWork
          .transaction()
          .append(
              TraceEvent.TABLE,
              TraceEvent.of(
                      unitOfWork.transaction(),
                      "consolidation_skipped",
                      EntityRef.of(EntityType.ARTIFACT, artifact.id()),
                      Optional.of(trajectory.id()))
                  .withScope(Optional.of(artifact.scope()))
                  .withDetail(e.code().text()));
      return Optional.empty();
    }
  }

  private Optional<WriteNote> draftNote(Trajectory trajectory, Artifact artifact) {
    return noteType(artifact.type())
        .flatMap(
            type -> noteText(artifact).map(words -> draftNote(trajectory, artifact, type, words)));
  }

  /** Entity that a note is about. */
  private record NoteEntity(String entity, EntityType sort) {}

  /** Returns the extractor's entity, else the subject, else the trajectory's initiator. */
  private static NoteEntity noteEntity(Trajectory trajectory, Artifact artifact, Labels labels) {
    return Optional.ofNullable(artifact.labels().metadata().get(RuleBasedExtraction.ABOUT))
        .map(Object::toString)
        .filter(named -> !named.isBlank())
        .map(named -> new NoteEntity(named, EntityType.NOTE))
        .or(() -> labels.subject().map(subject -> new NoteEntity(subject, EntityType.SUBJECT)))
        .orElseGet(
            () -> new NoteEntity(trajectory.initiator().id(), trajectory.initiator().type()));
  }

  private static WriteNote draftNote(
      Trajectory trajectory, Artifact artifact, NoteType type, String words) {
    Labels labels = artifact.labels().subjectOnly().withDefaults(trajectory.labels().subjectOnly());
    NoteEntity noteEntity = noteEntity(trajectory, artifact, labels);
    return new WriteNote(
        noteEntity.entity(),
        noteEntity.sort().lowerCaseName(),
        type,
        words,
        artifact.provenance().confidence(),
        TimeRange.always(),
        List.of(trajectory.id()),
        labels);
  }

  /** Returns the text if a note can hold it; of an error log the first line. */
  private Optional<String> noteText(Artifact artifact) {
    return artifact
        .content()
        .text()
        .map(text -> artifact.type() == ArtifactType.ERROR_LOG ? firstLine(text) : text.strip())
        .filter(text -> !text.isEmpty())
        .filter(text -> TextChecks.utf8Length(text) <= unitOfWork.config().limits().note().bytes());
  }

  private static String firstLine(String text) {
    return text.strip().lines().findFirst().orElse("");
  }

  private static Optional<NoteType> noteType(ArtifactType type) {
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
