package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryEvent.SubjectAssigned;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import java.util.List;
import java.util.function.Predicate;

/**
 * Gives a trajectory its subject. The first turn or artifact with a subject labels the trajectory,
 * and with it the turns, artifacts, scopes, notes and child trajectories that have no subject. One
 * commit labels {@code memory.retention.batch} records of each kind; the caller continues with the
 * others in further commits, and a job does so where the caller cannot.
 */
final class SubjectLabelling {
  static final String JOB = "memory.label-subject";

  /**
   * A trajectory of which records still have no subject.
   *
   * @param job labels them where the caller does not continue
   */
  record Rest(Id trajectory, Id job) {}

  private final Desk desk;
  private final int batch;

  SubjectLabelling(Desk desk) {
    this.desk = desk;
    this.batch = desk.config().retention().batch();
  }

  /**
   * The labels of a record that is written to this trajectory: with the trajectory's subject where
   * they have none. The first subject becomes that of the trajectory.
   */
  Labels admit(Trajectory trajectory, Labels labels) {
    trajectory.requireSubject(labels.subject());
    labels
        .subject()
        .filter(_ -> !trajectory.isGroup() && trajectory.labels().subject().isEmpty())
        .ifPresent(subject -> begin(trajectory.id(), subject));
    return labels.or(trajectory.labels().subjectOnly());
  }

  private void begin(Id trajectory, String subject) {
    if (!label(trajectory, subject)) {
      desk.stillUnlabelled(scheduled(trajectory));
    }
  }

  private Rest scheduled(Id trajectory) {
    JobRequest job = JobRequest.of(JOB, Json.text(trajectory), desk.now());
    return new Rest(trajectory, Jobs.schedule(desk.transaction(), job));
  }

  /** The next commit of the caller; the last one removes the job. */
  boolean goOn(Rest rest) {
    boolean all = goOn(rest.trajectory);
    if (all) {
      desk.transaction().delete(Jobs.TABLE, rest.job);
    }
    return all;
  }

  /** Labels as much as one commit may; true if that was all, or if the trajectory is gone. */
  boolean goOn(Id trajectory) {
    return desk.transaction()
        .find(Trajectory.TABLE, trajectory)
        .flatMap(found -> found.labels().subject())
        .map(subject -> label(trajectory, subject))
        .orElse(true);
  }

  private boolean label(Id id, String subject) {
    List<Scope> scopes =
        unlabelled(
            Query.over(Scope.TABLE, "trajectory", "sequence").equal(id),
            scope -> scope.subject().isEmpty());
    List<Turn> turns =
        unlabelled(
            Query.over(Turn.TABLE, "trajectory", "position").equal(id),
            turn -> turn.labels().subject().isEmpty());
    List<Artifact> artifacts =
        unlabelled(
            Query.over(Artifact.TABLE, "trajectory", "created_at").equal(id),
            made -> !made.labels().isSettled());
    List<Note> notes = new Learned(desk.view(), id).newest(SubjectLabelling::isOfOneTask, batch);
    SubjectAssigned assigned =
        new SubjectAssigned(
            id,
            subject,
            scopes.stream().map(Scope::id).toList(),
            turns.stream().map(Turn::id).toList(),
            artifacts.stream().map(Artifact::id).toList(),
            notes.stream().map(Note::id).toList());
    boolean known = desk.view().storedTrajectory(id).labels().subject().isPresent();
    if (!known || assigned.hasRecords()) {
      desk.emit(assigned);
    }
    List<Trajectory> children = children(id);
    children.forEach(child -> labelChild(child.id(), subject));
    return List.of(scopes, turns, artifacts, notes, children).stream()
        .allMatch(found -> found.size() < batch);
  }

  private <T> List<T> unlabelled(Query<T> all, Predicate<T> isUnlabelled) {
    return desk.view().upTo(all.where(isUnlabelled), batch);
  }

  /** A note that another trajectory has taught as well is not this subject's alone. */
  private static boolean isOfOneTask(Note note) {
    return !note.labels().isSettled() && note.sources().size() == 1;
  }

  private List<Trajectory> children(Id id) {
    return unlabelled(
        Query.over(Trajectory.TABLE, "parent").equal(id),
        child -> child.labels().subject().isEmpty() && !child.isGroup());
  }

  /** A child is labelled in this commit, the records in it in commits of their own. */
  private void labelChild(Id child, String subject) {
    desk.emit(new SubjectAssigned(child, subject, List.of(), List.of(), List.of(), List.of()));
    desk.stillUnlabelled(scheduled(child));
  }
}
