package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.Forgotten;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Injection;
import dev.caliber.memory.record.MemoryEvent.RecordForgotten;
import dev.caliber.memory.record.MemoryEvent.RecordRemoved;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import java.util.List;

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

  /** As part of a larger commit: with no more than it may hold. */
  Forgotten forget(Forget command) {
    new Guard(desk.config().limits()).check(command);
    List<EntityRef> found =
        desk.prepared()
            .meant()
            .flatMap(meant -> command.filter().map(filter -> passing(meant, filter)))
            .orElseGet(() -> new ForgetTargets(desk.view(), most + 1).of(command).records());
    List<EntityRef> portion = found.subList(0, Math.min(most, found.size()));
    List<EntityRef> now =
        command.preview() ? portion : portion.stream().filter(this::isWithoutPolicies).toList();
    Oblivion oblivion = Oblivion.of(desk.view(), now);
    if (!command.preview()) {
      forget(oblivion, command.reason());
    }
    return new Forgotten(oblivion.records(), command.preview(), now.size() == found.size(), false);
  }

  /** Forgets what was found out, all of it in this commit. */
  void forget(Oblivion oblivion, String reason) {
    oblivion.unquote(desk);
    for (EntityRef record : oblivion.records()) {
      desk.emit(new RecordForgotten(record, reason, desk.now()));
    }
    desk.forgotten(oblivion, most);
  }

  /**
   * What policies have under way or wish for a trajectory goes before it, as far as one commit may;
   * false when there is more.
   */
  boolean isWithoutPolicies(EntityRef record) {
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
    ForgetTargets targets = new ForgetTargets(desk.view(), most + 1);
    targets.addAll(trajectory);
    List<EntityRef> found = targets.records();
    int fitting = fitting(found);
    boolean last =
        fitting == found.size() && !targets.isFull() && endPolicies(trajectory.id().toString());
    found
        .subList(0, last || targets.isFull() ? fitting : Math.min(fitting, found.size() - 1))
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

  /** What was found before this commit and still passes. */
  private List<EntityRef> passing(List<EntityRef> found, RecallFilter filter) {
    return found.stream().filter(one -> passes(one, filter)).limit(most + 1L).toList();
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
}
