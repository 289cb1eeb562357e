package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryEvent.ArtifactCreated;
import dev.caliber.memory.record.MemoryEvent.ArtifactSeenAgain;
import dev.caliber.memory.record.MemoryEvent.ArtifactSuperseded;
import dev.caliber.memory.record.MemoryEvent.RecordRemoved;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Ttl;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Decides how artifacts are made and take each other's place. */
final class ArtifactWork {
  private final Desk desk;
  private final Guard guard;

  ArtifactWork(Desk desk) {
    this.desk = desk;
    this.guard = new Guard(desk.config().limits());
  }

  List<Artifact> create(CreateArtifacts command) {
    guard.check(command);
    return command.artifacts().stream().map(this::createOpenly).toList();
  }

  /** For a caller: what is over takes nothing more, but answers what it has. */
  private Artifact createOpenly(CreateArtifact command) {
    Scope scope = desk.view().scope(command.scope());
    return scope.isOpen()
        ? create(command, false)
        : kept(scope, command).orElseThrow(() -> desk.over(scope));
  }

  /** What is there already, as it is wanted; that it would end later now makes no difference. */
  private Optional<Artifact> kept(Scope scope, CreateArtifact command) {
    return desk.view()
        .artifactByHash(scope.trajectory(), command.content().hash())
        .filter(found -> found.isLive(desk.now()) && !isMore(found, command));
  }

  private static boolean isMore(Artifact found, CreateArtifact again) {
    Ttl wanted = wanted(found, again);
    return isOtherwiseMade(found, again)
        || isOtherwiseLabelled(found, again)
        || !found.ttl().orLonger(wanted).equals(found.ttl());
  }

  /**
   * For whoever works on what was said, also after the end: closing, consolidation, policies. What
   * is there keeps the labels that its maker gave it.
   */
  Artifact create(CreateArtifact command) {
    return create(command, true);
  }

  private Artifact create(CreateArtifact command, boolean labelsStay) {
    guard.check(command);
    Scope scope = desk.view().scope(command.scope());
    Trajectory trajectory = desk.view().storedTrajectory(scope.trajectory());
    trajectory.requireSubject(command.labels().subject());
    Optional<Artifact> same =
        desk.view().artifactByHash(scope.trajectory(), command.content().hash());
    if (same.filter(found -> found.isLive(desk.now())).isPresent()) {
      Artifact found = same.get();
      return seenAgain(found, labelsStay ? command.labelled(found.labels()) : command);
    }
    same.ifPresent(
        gone -> desk.emit(new RecordRemoved(EntityRef.of(EntityType.ARTIFACT, gone.id()))));
    Artifact made = draft(command, trajectory);
    desk.emit(new ArtifactCreated(made));
    return made;
  }

  private Artifact draft(CreateArtifact command, Trajectory trajectory) {
    Instant now = desk.now();
    return new Artifact(
        desk.newId(),
        trajectory.id(),
        command.scope(),
        command.type(),
        command.schemaVersion(),
        command.content(),
        command.content().hash(),
        command.provenance(),
        command.ttl(),
        command.ttl().end(now),
        Optional.empty(),
        new SubjectLabelling(desk).admit(trajectory, command.labels()),
        now,
        now,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  Artifact supersede(SupersedeArtifact command) {
    Artifact old = desk.view().artifact(command.old());
    if (!old.isLive(desk.now())) {
      throw MemoryException.notLive(EntityType.ARTIFACT, old.id());
    }
    Id trajectory = desk.view().scope(command.successor().scope()).trajectory();
    if (!trajectory.equals(old.trajectory())) {
      throw MemoryException.invalid(
          "successor", "an artifact of trajectory " + old.trajectory(), "one of another");
    }
    Artifact successor = createOpenly(command.successor());
    if (successor.id().equals(old.id())) {
      throw MemoryException.circular(EntityType.ARTIFACT, List.of(old.id(), successor.id()));
    }
    desk.emit(new ArtifactSuperseded(old.trajectory(), old.id(), successor.id(), desk.now()));
    return successor;
  }

  private Artifact seenAgain(Artifact found, CreateArtifact again) {
    guard.joined(found.labels(), again.labels());
    if (isNews(found, again)) {
      desk.emit(
          new ArtifactSeenAgain(
              found.trajectory(),
              found.id(),
              again.provenance(),
              wanted(found, again),
              again.labels(),
              desk.now()));
    }
    return desk.view().artifact(found.id());
  }

  private boolean isNews(Artifact found, CreateArtifact again) {
    Artifact after =
        found.seenAgain(again.provenance(), wanted(found, again), again.labels(), desk.now());
    return isOtherwiseMade(found, again)
        || isOtherwiseLabelled(found, again)
        || !after.livesLike(found);
  }

  private static boolean isOtherwiseLabelled(Artifact found, CreateArtifact again) {
    return !found.labels().and(again.labels()).equals(found.labels());
  }

  private static boolean isOtherwiseMade(Artifact found, CreateArtifact again) {
    Provenance known = found.provenance();
    return !known.seenAgain(again.provenance()).equals(known);
  }

  /** An artifact has one scope; what another one wants as well lives as long as their task. */
  private static Ttl wanted(Artifact found, CreateArtifact again) {
    boolean elsewhere = !found.scope().equals(again.scope());
    return elsewhere && again.ttl() instanceof Ttl.Scope ? new Ttl.Session() : again.ttl();
  }
}
