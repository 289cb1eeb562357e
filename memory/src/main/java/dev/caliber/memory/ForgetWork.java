package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.Forgotten;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Injection;
import dev.caliber.memory.record.MemoryEvent.RecordForgotten;
import dev.caliber.memory.record.MemoryEvent.RecordRemoved;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decides what is forgotten. What one commit cannot hold is forgotten by the next call: the record
 * that holds the others goes last, so that asking again finds the rest.
 */
final class ForgetWork {
  private final Desk desk;
  private final int most;

  ForgetWork(Desk desk) {
    this(desk, desk.config().limits().turns());
  }

  /** With at most so many records in this commit, beside what quotes them. */
  ForgetWork(Desk desk, int most) {
    this.desk = desk;
    this.most = most;
  }

  Forgotten forget(Forget command) {
    new Guard(desk.config().limits()).check(command);
    List<EntityRef> found =
        command.id().map(this::reach).orElseGet(() -> fitting(command.filter().orElseThrow()));
    List<EntityRef> portion = found.subList(0, Math.min(most, found.size()));
    List<EntityRef> now =
        command.preview() ? portion : portion.stream().filter(this::isWithoutPolicies).toList();
    Oblivion oblivion = Oblivion.of(desk, now);
    if (!command.preview()) {
      forget(oblivion, command.reason());
    }
    return new Forgotten(oblivion.records(), command.preview(), now.size() == found.size());
  }

  private void forget(Oblivion oblivion, String reason) {
    oblivion.unquote();
    for (EntityRef record : oblivion.records()) {
      desk.emit(new RecordForgotten(record, reason, desk.now()));
    }
    desk.forgotten(oblivion);
  }

  /**
   * What policies have under way or wish for a trajectory goes before it, as far as one commit may;
   * false when there is more.
   */
  private boolean isWithoutPolicies(EntityRef record) {
    return record.type() != EntityType.TRAJECTORY || endPolicies(record.id());
  }

  private boolean endPolicies(String trajectory) {
    List<Injection> wishes =
        desk.view()
            .upTo(Query.over(Injection.TABLE, "trajectory", "memory").equal(trajectory), most);
    wishes.forEach(made -> desk.transaction().delete(Injection.TABLE, made.id()));
    List<PolicyRun> runs =
        desk.view().upTo(Query.over(PolicyRun.TABLE, "trajectory").equal(trajectory), most);
    runs.forEach(this::end);
    return wishes.size() < most && runs.size() < most;
  }

  private void end(PolicyRun run) {
    run.job().ifPresent(job -> desk.transaction().delete(Jobs.TABLE, job));
    desk.transaction().delete(PolicyRun.TABLE, run.id());
  }

  /**
   * Removes a trajectory and what is in it, as far as one commit may; leaves no tombstones. True
   * when nothing is left of it.
   */
  boolean remove(Trajectory trajectory) {
    List<EntityRef> found = all(trajectory);
    int fitting = fitting(found);
    boolean last = fitting == found.size() && endPolicies(trajectory.id().toString());
    found
        .subList(0, last ? fitting : Math.min(fitting, found.size() - 1))
        .forEach(record -> desk.emit(new RecordRemoved(record)));
    return last;
  }

  /** How many of the first this commit takes, with what was told of them earlier; one at least. */
  private int fitting(List<EntityRef> found) {
    int count = 0;
    for (long taken = 0; count < found.size() && taken < most; count++) {
      taken += 1 + toldBefore(found.get(count));
    }
    return count;
  }

  private long toldBefore(EntityRef record) {
    return switch (record.type()) {
      case SCOPE, TRAJECTORY -> new Told(desk.view(), Id.parse(record.id())).count();
      case TURN, ARTIFACT, NOTE, CHECKPOINT, AGENT, WINDOW, SUBJECT -> 0;
    };
  }

  private List<EntityRef> reach(Id id) {
    return Stream.<Optional<List<EntityRef>>>of(
            known(EntityType.NOTE, desk.transaction().find(Note.TABLE, id).map(Note::id)),
            known(EntityType.TURN, desk.transaction().find(Turn.TABLE, id).map(Turn::id)),
            known(
                EntityType.ARTIFACT, desk.transaction().find(Artifact.TABLE, id).map(Artifact::id)),
            known(
                EntityType.CHECKPOINT,
                desk.transaction().find(Checkpoint.TABLE, id).map(Checkpoint::id)),
            desk.transaction().find(Scope.TABLE, id).map(this::withPoints),
            desk.transaction().find(Trajectory.TABLE, id).map(this::all))
        .flatMap(Optional::stream)
        .findFirst()
        .orElseThrow(() -> missing(id));
  }

  private MemoryException missing(Id id) {
    return desk.view()
        .tombstone(id)
        .map(MemoryException::forgotten)
        .orElseGet(() -> MemoryException.unknown(id));
  }

  private static Optional<List<EntityRef>> known(EntityType type, Optional<Id> found) {
    return found.map(id -> List.of(EntityRef.of(type, id)));
  }

  /** What is in it and then itself; no more than this commit takes, and one that says so. */
  private List<EntityRef> all(Trajectory trajectory) {
    List<EntityRef> records = new ArrayList<>();
    Query<Scope> scopes = Query.over(Scope.TABLE, "trajectory", "sequence").equal(trajectory.id());
    for (Scope scope : desk.view().upTo(scopes, most + 1)) {
      if (records.size() <= most) {
        records.addAll(all(scope));
      }
    }
    desk.view().checkpoints(trajectory.id()).stream()
        .map(checkpoint -> EntityRef.of(EntityType.CHECKPOINT, checkpoint.id()))
        .forEach(records::add);
    records.add(EntityRef.of(EntityType.TRAJECTORY, trajectory.id()));
    return records;
  }

  /** A scope alone takes the points along that were saved at it. */
  private List<EntityRef> withPoints(Scope scope) {
    List<EntityRef> records = new ArrayList<>();
    desk.view().checkpoints(scope.trajectory()).stream()
        .filter(point -> point.scope().filter(scope.id()::equals).isPresent())
        .forEach(point -> records.add(EntityRef.of(EntityType.CHECKPOINT, point.id())));
    records.addAll(all(scope));
    return records;
  }

  private List<EntityRef> all(Scope scope) {
    List<EntityRef> records = new ArrayList<>();
    desk.view()
        .upTo(Query.over(Turn.TABLE, "scope", "sequence").equal(scope.id()), most + 1)
        .forEach(turn -> records.add(EntityRef.of(EntityType.TURN, turn.id())));
    desk.view()
        .upTo(Query.over(Artifact.TABLE, "scope").equal(scope.id()), most + 1)
        .forEach(artifact -> records.add(EntityRef.of(EntityType.ARTIFACT, artifact.id())));
    records.add(EntityRef.of(EntityType.SCOPE, scope.id()));
    return records;
  }

  /** Whoever asks for all of a subject means its trajectories, too, with everything in them. */
  private List<EntityRef> fitting(RecallFilter filter) {
    Set<EntityRef> found = new LinkedHashSet<>(found(filter));
    filter.subjectAlone().ifPresent(subject -> found.addAll(trajectoriesOf(subject)));
    return List.copyOf(found);
  }

  /** What was found before this commit and still passes; only without that it searches here. */
  private List<EntityRef> found(RecallFilter filter) {
    return desk.prepared()
        .meant()
        .map(found -> found.stream().filter(one -> passes(one, filter)).limit(most + 1L).toList())
        .orElseGet(() -> Candidates.ofEverySubject(desk.view(), filter, most + 1).records());
  }

  private boolean passes(EntityRef record, RecallFilter filter) {
    return switch (record.type()) {
      case NOTE ->
          desk.transaction().find(Note.TABLE, record.id()).filter(filter::passes).isPresent();
      case TURN ->
          desk.transaction().find(Turn.TABLE, record.id()).filter(filter::passes).isPresent();
      case ARTIFACT ->
          desk.transaction().find(Artifact.TABLE, record.id()).filter(filter::passes).isPresent();
      case TRAJECTORY, SCOPE, CHECKPOINT, AGENT, WINDOW, SUBJECT -> false;
    };
  }

  private List<EntityRef> trajectoriesOf(String subject) {
    Query<Trajectory> theirs = Query.over(Trajectory.TABLE, "subject", "created_at").equal(subject);
    List<EntityRef> records = new ArrayList<>();
    for (Trajectory trajectory : desk.view().upTo(theirs, most + 1)) {
      if (records.size() <= most) {
        records.addAll(all(trajectory));
      }
    }
    return records;
  }
}
