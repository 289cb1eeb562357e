package dev.caliber.memory;

import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.LearnFromTurns;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.PromoteRecord;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.SuspendOrResumeTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.commit.AbandonedWorkHandler;
import dev.caliber.memory.commit.ArtifactHandler;
import dev.caliber.memory.commit.CheckpointHandler;
import dev.caliber.memory.commit.LearnFromTurnsHandler;
import dev.caliber.memory.commit.NoteHandler;
import dev.caliber.memory.commit.PromotionHandler;
import dev.caliber.memory.commit.RollBackHandler;
import dev.caliber.memory.commit.RuleBasedExtraction;
import dev.caliber.memory.commit.ScopeHandler;
import dev.caliber.memory.commit.TrajectoryHandler;
import dev.caliber.memory.commit.TurnHandler;
import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.memory.forget.ForgetHandler;
import dev.caliber.memory.policy.ConsolidationHandler;
import dev.caliber.memory.policy.PolicyRunStarter;
import dev.caliber.memory.policy.PolicyStepHandler;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.spi.TokenCounter;

/** Routes each command of one unit of work to its handler. */
public final class CommandDispatcher {
  private final TrajectoryHandler trajectories;
  private final ScopeHandler scopes;
  private final TurnHandler turns;
  private final ArtifactHandler artifacts;
  private final NoteHandler notes;
  private final LearnFromTurnsHandler learning;
  private final ConsolidationHandler consolidation;
  private final CheckpointHandler checkpoints;
  private final ForgetHandler forgetting;
  private final RollBackHandler rollingBack;
  private final AbandonedWorkHandler orphans;
  private final PolicyStepHandler policies;
  private final UnitOfWork unitOfWork;

  public CommandDispatcher(
      UnitOfWork unitOfWork, TokenCounter counter, RuleBasedExtraction ruleBasedExtraction) {
    this.artifacts = new ArtifactHandler(unitOfWork);
    this.checkpoints = new CheckpointHandler(unitOfWork);
    this.scopes = new ScopeHandler(unitOfWork, artifacts, checkpoints, ruleBasedExtraction);
    this.trajectories = new TrajectoryHandler(unitOfWork, scopes);
    this.turns = new TurnHandler(unitOfWork, counter, checkpoints);
    this.notes = new NoteHandler(unitOfWork, ruleBasedExtraction.reader());
    this.learning = new LearnFromTurnsHandler(unitOfWork, notes, ruleBasedExtraction);
    this.consolidation = new ConsolidationHandler(unitOfWork, notes);
    this.rollingBack = new RollBackHandler(unitOfWork, scopes, ruleBasedExtraction);
    this.orphans = new AbandonedWorkHandler(unitOfWork, trajectories, scopes);
    this.forgetting = new ForgetHandler(unitOfWork);
    this.policies =
        new PolicyStepHandler(unitOfWork, scopes, checkpoints, consolidation, ruleBasedExtraction);
    this.unitOfWork = unitOfWork;
  }

  AbandonedWorkHandler abandonedWorkHandler() {
    return orphans;
  }

  PolicyRun advancePolicyRun(PolicyRun run, int most) {
    return policies.advance(run, most);
  }

  public ConsolidationHandler consolidationHandler() {
    return consolidation;
  }

  private PolicyRun runPolicy(RunPolicy command) {
    return PolicyRunStarter.of(unitOfWork)
        .orElseThrow(() -> MemoryException.unknownPolicy(command.policy()))
        .startByCommand(command);
  }

  @SuppressWarnings("unchecked") // each command returns the type that it declares
  <R> R run(Command<R> command) {
    return (R)
        switch (command) {
          case StartTrajectory start -> trajectories.start(start);
          case ForkTrajectory fork -> trajectories.fork(fork);
          case SuspendOrResumeTrajectory move -> trajectories.suspendOrResume(move);
          case EndTrajectory end -> trajectories.end(end);
          case OpenScope open -> scopes.open(open);
          case CloseScope close -> scopes.close(close);
          case AppendTurns append -> turns.append(append);
          case LearnFromTurns learn -> learning.learn(learn);
          case CreateArtifacts create -> artifacts.create(create);
          case SupersedeArtifact supersede -> artifacts.supersede(supersede);
          case WriteNote write -> notes.write(write);
          case SupersedeNote supersede -> notes.supersede(supersede);
          case EndNote end -> notes.endValidity(end);
          case PromoteRecord promoteRecord ->
              new PromotionHandler(unitOfWork).promote(promoteRecord);
          case ConsolidateTrajectory consolidateTrajectory ->
              consolidation.consolidate(consolidateTrajectory);
          case SaveCheckpoint save -> checkpoints.saveForCaller(save);
          case RollBackTrajectory back -> rollingBack.rollBack(back);
          case ForgetRecords forgetRecords -> forgetting.forget(forgetRecords);
          case RunPolicy run -> runPolicy(run);
        };
  }
}
