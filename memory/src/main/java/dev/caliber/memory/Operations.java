package dev.caliber.memory;

import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.Consolidate;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.LearnFromTurns;
import dev.caliber.memory.command.MoveTrajectory;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.Promote;
import dev.caliber.memory.command.RollBack;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.spi.TokenCounter;

/** All works over one desk: the commands of one commit. */
final class Operations {
  private final TrajectoryWork trajectories;
  private final ScopeWork scopes;
  private final TurnWork turns;
  private final ArtifactWork artifacts;
  private final NoteWork notes;
  private final LearningWork learning;
  private final ConsolidationWork consolidation;
  private final CheckpointWork checkpoints;
  private final ForgetWork forgetting;
  private final RollBackWork rollingBack;
  private final OrphanWork orphans;
  private final PolicyWork policies;
  private final Desk desk;

  Operations(Desk desk, TokenCounter counter, Digest digest) {
    this.artifacts = new ArtifactWork(desk);
    this.checkpoints = new CheckpointWork(desk);
    this.scopes = new ScopeWork(desk, artifacts, checkpoints, digest);
    this.trajectories = new TrajectoryWork(desk, scopes);
    this.turns = new TurnWork(desk, counter, checkpoints);
    this.notes = new NoteWork(desk, digest.reader());
    this.learning = new LearningWork(desk, notes, digest);
    this.consolidation = new ConsolidationWork(desk, notes);
    this.rollingBack = new RollBackWork(desk, scopes, digest);
    this.orphans = new OrphanWork(desk, trajectories, scopes);
    this.forgetting = new ForgetWork(desk);
    this.policies = new PolicyWork(desk, scopes, checkpoints, consolidation, digest);
    this.desk = desk;
  }

  OrphanWork orphans() {
    return orphans;
  }

  PolicyRun advance(PolicyRun run, int most) {
    return policies.advance(run, most);
  }

  ConsolidationWork consolidation() {
    return consolidation;
  }

  private PolicyRun runPolicy(RunPolicy command) {
    return Triggers.of(desk)
        .orElseThrow(() -> MemoryException.unknownPolicy(command.policy()))
        .run(command);
  }

  @SuppressWarnings("unchecked") // each command answers what its own declaration says
  <R> R run(Command<R> command) {
    return (R)
        switch (command) {
          case StartTrajectory start -> trajectories.start(start);
          case ForkTrajectory fork -> trajectories.fork(fork);
          case MoveTrajectory move -> trajectories.move(move);
          case EndTrajectory end -> trajectories.end(end);
          case OpenScope open -> scopes.open(open);
          case CloseScope close -> scopes.close(close);
          case AppendTurns append -> turns.append(append);
          case LearnFromTurns learn -> learning.learn(learn);
          case CreateArtifacts create -> artifacts.create(create);
          case SupersedeArtifact supersede -> artifacts.supersede(supersede);
          case WriteNote write -> notes.write(write);
          case SupersedeNote supersede -> notes.supersede(supersede);
          case EndNote end -> notes.end(end);
          case Promote promote -> new PromotionWork(desk).promote(promote);
          case Consolidate consolidate -> consolidation.consolidate(consolidate);
          case SaveCheckpoint save -> checkpoints.saveOpenly(save);
          case RollBack back -> rollingBack.rollBack(back);
          case Forget forget -> forgetting.forget(forget);
          case RunPolicy run -> runPolicy(run);
        };
  }
}
