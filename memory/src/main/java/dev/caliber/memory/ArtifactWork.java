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
    return command.artifacts().stream().map(this::create).toList();
  }

  Artifact create(CreateArtifact command) {
    guard.check(command);
    Scope scope = desk.view().scope(command.scope());
    Optional<Artifact> same =
        desk.view().artifactByHash(scope.trajectory(), command.content().hash());
    if (same.filter(found -> found.isLive(desk.now())).isPresent()) {
      return seenAgain(same.get(), command);
    }
    same.ifPresent(
        gone -> desk.emit(new RecordRemoved(EntityRef.of(EntityType.ARTIFACT, gone.id()))));
    Artifact made = draft(command, scope.trajectory());
    desk.emit(new ArtifactCreated(made));
    return made;
  }

  private Artifact draft(CreateArtifact command, Id trajectory) {
    Instant now = desk.now();
    return new Artifact(
        desk.newId(),
        trajectory,
        command.scope(),
        command.type(),
        command.schemaVersion(),
        command.content(),
        command.content().hash(),
        command.provenance(),
        command.ttl(),
        command.ttl().end(now),
        Optional.empty(),
        command.labels(),
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
    Artifact successor = create(command.successor());
    if (successor.id().equals(old.id())) {
      throw MemoryException.circular(EntityType.ARTIFACT, List.of(old.id(), successor.id()));
    }
    desk.emit(new ArtifactSuperseded(old.trajectory(), old.id(), successor.id(), desk.now()));
    return successor;
  }

  private Artifact seenAgain(Artifact found, CreateArtifact again) {
    Provenance provenance = again.provenance();
    Ttl wanted = wanted(found, again);
    if (!found.provenance().seenAgain(provenance).equals(found.provenance())
        || !found.seenAgain(provenance, wanted, desk.now()).livesLike(found)) {
      desk.emit(
          new ArtifactSeenAgain(found.trajectory(), found.id(), provenance, wanted, desk.now()));
    }
    return desk.view().artifact(found.id());
  }

  /** An artifact has one scope; what another one wants as well lives as long as their task. */
  private static Ttl wanted(Artifact found, CreateArtifact again) {
    boolean elsewhere = !found.scope().equals(again.scope());
    return elsewhere && again.ttl() instanceof Ttl.Scope ? new Ttl.Session() : again.ttl();
  }
}
