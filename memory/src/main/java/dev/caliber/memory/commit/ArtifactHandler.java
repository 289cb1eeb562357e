package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.event.MemoryEvent.ArtifactCreated;
import dev.caliber.memory.event.MemoryEvent.ArtifactDeduplicated;
import dev.caliber.memory.event.MemoryEvent.ArtifactSuperseded;
import dev.caliber.memory.event.MemoryEvent.RecordRemoved;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.view.InputLimits;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Handles commands that create and supersede artifacts. */
public final class ArtifactHandler {
  private final UnitOfWork unitOfWork;
  private final InputLimits inputLimits;

  public ArtifactHandler(UnitOfWork unitOfWork) {
    this.unitOfWork = unitOfWork;
    this.inputLimits = new InputLimits(unitOfWork.config().limits());
  }

  public List<Artifact> create(CreateArtifacts command) {
    inputLimits.check(command);
    return command.artifacts().stream().map(this::createForCaller).toList();
  }

  /** Creates an artifact for a caller; a closed scope only answers an existing one. */
  private Artifact createForCaller(NewArtifact command) {
    Scope scope = unitOfWork.view().scope(command.scope());
    return scope.isOpen()
        ? create(command, false)
        : existingArtifact(scope, command).orElseThrow(() -> unitOfWork.closedScopeError(scope));
  }

  /**
   * Returns the live artifact with this content if the command adds nothing to it but a later end.
   */
  private Optional<Artifact> existingArtifact(Scope scope, NewArtifact command) {
    return unitOfWork
        .view()
        .artifactByHash(scope.trajectory(), command.content().hash())
        .filter(found -> found.isLive(unitOfWork.now()) && !addsToExisting(found, command));
  }

  private static boolean addsToExisting(Artifact found, NewArtifact again) {
    Ttl wanted = effectiveTtl(found, again);
    return changesProvenance(found, again)
        || changesLabels(found, again)
        || !found.ttl().longerOf(wanted).equals(found.ttl());
  }

  /**
   * Creates an artifact for closing, consolidation and policies, also after the end of the scope.
   * An existing artifact keeps its labels.
   */
  Artifact create(NewArtifact command) {
    return create(command, true);
  }

  private Artifact create(NewArtifact command, boolean labelsStay) {
    inputLimits.check(command);
    Scope scope = unitOfWork.view().scope(command.scope());
    Trajectory trajectory = unitOfWork.view().storedTrajectory(scope.trajectory());
    trajectory.requireSubject(command.labels().subject());
    Optional<Artifact> same =
        unitOfWork.view().artifactByHash(scope.trajectory(), command.content().hash());
    if (same.filter(found -> found.isLive(unitOfWork.now())).isPresent()) {
      Artifact found = same.get();
      return mergeDuplicate(found, labelsStay ? command.withLabels(found.labels()) : command);
    }
    same.ifPresent(
        gone -> unitOfWork.emit(new RecordRemoved(EntityRef.of(EntityType.ARTIFACT, gone.id()))));
    Artifact made = draftArtifact(command, trajectory);
    unitOfWork.emit(new ArtifactCreated(made));
    return made;
  }

  private Artifact draftArtifact(NewArtifact command, Trajectory trajectory) {
    Instant now = unitOfWork.now();
    return new Artifact(
        unitOfWork.newId(),
        trajectory.id(),
        command.scope(),
        command.type(),
        command.schemaVersion(),
        command.content(),
        command.content().hash(),
        command.provenance(),
        command.ttl(),
        command.ttl().expiresAt(now),
        Optional.empty(),
        new SubjectAssigner(unitOfWork).labelsFor(trajectory, command.labels()),
        now,
        now,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public Artifact supersede(SupersedeArtifact command) {
    Artifact old = unitOfWork.view().artifact(command.old());
    if (!old.isLive(unitOfWork.now())) {
      throw MemoryException.notLive(EntityType.ARTIFACT, old.id());
    }
    Id trajectory = unitOfWork.view().scope(command.successor().scope()).trajectory();
    if (!trajectory.equals(old.trajectory())) {
      throw MemoryException.invalid(
          "successor",
          "an artifact of trajectory " + old.trajectory(),
          "an artifact of trajectory " + trajectory);
    }
    Artifact successor = createForCaller(command.successor());
    if (successor.id().equals(old.id())) {
      throw MemoryException.circular(EntityType.ARTIFACT, List.of(old.id(), successor.id()));
    }
    unitOfWork.emit(
        new ArtifactSuperseded(old.trajectory(), old.id(), successor.id(), unitOfWork.now()));
    return successor;
  }

  private Artifact mergeDuplicate(Artifact found, NewArtifact again) {
    inputLimits.mergeLabels(found.labels(), again.labels());
    if (changesExisting(found, again)) {
      unitOfWork.emit(
          new ArtifactDeduplicated(
              found.trajectory(),
              found.id(),
              again.provenance(),
              effectiveTtl(found, again),
              again.labels(),
              unitOfWork.now()));
    }
    return unitOfWork.view().artifact(found.id());
  }

  private boolean changesExisting(Artifact found, NewArtifact again) {
    Artifact after =
        found.mergedWithDuplicate(
            again.provenance(), effectiveTtl(found, again), again.labels(), unitOfWork.now());
    return changesProvenance(found, again)
        || changesLabels(found, again)
        || !after.hasSameLifetime(found);
  }

  private static boolean changesLabels(Artifact found, NewArtifact again) {
    return !found.labels().mergedWith(again.labels()).equals(found.labels());
  }

  private static boolean changesProvenance(Artifact found, NewArtifact again) {
    Provenance known = found.provenance();
    return !known.mergedWith(again.provenance()).equals(known);
  }

  /** Returns the trajectory's lifetime for an artifact that two scopes ask for. */
  private static Ttl effectiveTtl(Artifact found, NewArtifact again) {
    boolean elsewhere = !found.scope().equals(again.scope());
    return elsewhere && again.ttl() instanceof Ttl.ScopeTtl ? new Ttl.TrajectoryTtl() : again.ttl();
  }
}
