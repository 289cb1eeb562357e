package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.memory.event.MemoryEvent.SubjectAssigned;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.TrajectoryNotes;
import dev.caliber.store.Query;
import java.util.List;
import java.util.function.Predicate;

/**
 * Assigns a subject to a trajectory. The first turn or artifact with a subject labels the
 * trajectory, and with it the turns, artifacts, scopes, notes and child trajectories that have no
 * subject. One commit labels {@code memory.retention.batch} records of each kind; the caller
 * continues in further commits, and a job finishes if the caller crashes.
 */
public final class SubjectAssigner {
  public static final String JOB = "memory.assign-subject";

  private final UnitOfWork unitOfWork;
  private final int batch;

  SubjectAssigner(UnitOfWork unitOfWork) {
    this(unitOfWork, unitOfWork.config().retention().batch());
  }

  public SubjectAssigner(UnitOfWork unitOfWork, int batch) {
    this.unitOfWork = unitOfWork;
    this.batch = batch;
  }

  /**
   * Returns the labels of a new record of this trajectory, with the trajectory's subject as
   * default. The first subject becomes that of the trajectory.
   */
  Labels labelsFor(Trajectory trajectory, Labels labels) {
    trajectory.requireSubject(labels.subject());
    labels
        .subject()
        .filter(_ -> !trajectory.isGroup() && trajectory.labels().subject().isEmpty())
        .ifPresent(subject -> assignFirstBatch(trajectory.id(), subject));
    return labels.withDefaults(trajectory.labels().subjectOnly());
  }

  private void assignFirstBatch(Id trajectory, String subject) {
    if (assignBatch(trajectory, subject)) {
      unitOfWork.startFollowUp(JOB, trajectory);
    }
  }

  /** Labels one batch; true if more is left. Nothing is left of a removed trajectory. */
  public boolean continueBatch(Id trajectory) {
    return unitOfWork
        .transaction()
        .find(Trajectory.TABLE, trajectory)
        .flatMap(found -> found.labels().subject())
        .filter(subject -> assignBatch(trajectory, subject))
        .isPresent();
  }

  private boolean assignBatch(Id id, String subject) {
    List<Scope> scopes =
        recordsWithoutSubject(
            Query.over(Scope.TABLE, "trajectory", "sequence").equal(id),
            scope -> scope.subject().isEmpty());
    List<Turn> turns =
        recordsWithoutSubject(
            Query.over(Turn.TABLE, "trajectory", "position").equal(id),
            turn -> turn.labels().subject().isEmpty());
    List<Artifact> artifacts =
        recordsWithoutSubject(
            Query.over(Artifact.TABLE, "trajectory", "created_at").equal(id),
            made -> !made.labels().hasOwnSubject());
    List<Note> notes =
        new TrajectoryNotes(unitOfWork.view(), id).newest(SubjectAssigner::hasSingleSource, batch);
    SubjectAssigned assigned =
        new SubjectAssigned(
            id,
            subject,
            scopes.stream().map(Scope::id).toList(),
            turns.stream().map(Turn::id).toList(),
            artifacts.stream().map(Artifact::id).toList(),
            notes.stream().map(Note::id).toList());
    boolean known = unitOfWork.view().storedTrajectory(id).labels().subject().isPresent();
    if (!known || assigned.hasRecords()) {
      unitOfWork.emit(assigned);
    }
    List<Trajectory> children = childrenWithoutSubject(id);
    children.forEach(child -> assignToChild(child.id(), subject));
    return List.of(scopes, turns, artifacts, notes, children).stream()
        .anyMatch(found -> found.size() >= batch);
  }

  private <T> List<T> recordsWithoutSubject(Query<T> all, Predicate<T> isUnlabelled) {
    return unitOfWork.view().snapshot().list(all.where(isUnlabelled), batch);
  }

  /**
   * Returns whether only this trajectory taught the note; other notes are not this subject's alone.
   */
  private static boolean hasSingleSource(Note note) {
    return !note.labels().hasOwnSubject() && note.sources().size() == 1;
  }

  private List<Trajectory> childrenWithoutSubject(Id id) {
    return recordsWithoutSubject(
        Query.over(Trajectory.TABLE, "parent").equal(id),
        child -> child.labels().subject().isEmpty() && !child.isGroup());
  }

  /** Labels a child trajectory in this commit and its records in commits of their own. */
  private void assignToChild(Id child, String subject) {
    unitOfWork.emit(
        new SubjectAssigned(child, subject, List.of(), List.of(), List.of(), List.of()));
    unitOfWork.startFollowUp(JOB, child);
  }
}
