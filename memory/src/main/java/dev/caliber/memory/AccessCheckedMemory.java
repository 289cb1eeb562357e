package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.AppendResult;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CleanupResult;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForgetResult;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.LearnFromTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.PromoteRecord;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult;
import dev.caliber.memory.command.RememberNote;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.SuspendOrResumeTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.TextChecks;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.AccessPolicy;
import dev.caliber.memory.spi.AccessPolicy.MemoryPermission;
import dev.caliber.store.Jobs;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Memory that checks an access policy before each call. A call without an actor is refused. */
record AccessCheckedMemory(Memory memory, AccessPolicy policy, Optional<String> actor)
    implements Memory {

  @Override
  public Memory asActor(String other) {
    TextChecks.requireNotBlank("actor", other);
    return new AccessCheckedMemory(memory, policy, Optional.of(other));
  }

  private Memory requirePermission(SpaceId space, MemoryPermission memoryPermission) {
    if (actor.filter(name -> policy.allows(name, space, memoryPermission)).isEmpty()) {
      throw MemoryException.accessDenied(actor.orElse("anonymous"), space, memoryPermission);
    }
    return memory;
  }

  private static MemoryPermission requiredPermission(Command<?> command) {
    return switch (command) {
      case ForgetRecords forgetRecords -> requiredPermission(forgetRecords);
      case RunPolicy _ -> MemoryPermission.TEND;
      case RollBackTrajectory back ->
          back.preview() ? MemoryPermission.READ : MemoryPermission.WRITE;
      case StartTrajectory _,
          ForkTrajectory _,
          SuspendOrResumeTrajectory _,
          EndTrajectory _,
          OpenScope _,
          CloseScope _,
          AppendTurns _,
          LearnFromTurns _,
          CreateArtifacts _,
          SupersedeArtifact _,
          WriteNote _,
          SupersedeNote _,
          EndNote _,
          PromoteRecord _,
          ConsolidateTrajectory _,
          SaveCheckpoint _ ->
          MemoryPermission.WRITE;
    };
  }

  private static MemoryPermission requiredPermission(ForgetRecords command) {
    return command.preview() ? MemoryPermission.READ : MemoryPermission.FORGET;
  }

  @Override
  public <R> R run(SpaceId space, Command<R> command) {
    return requirePermission(space, requiredPermission(command)).run(space, command);
  }

  @Override
  public <R> R run(Transaction transaction, Command<R> command) {
    return requirePermission(transaction.space(), requiredPermission(command))
        .run(transaction, command);
  }

  @Override
  public <R> Function<Transaction, R> prepareCommand(SpaceId space, Command<R> command) {
    return requirePermission(space, requiredPermission(command)).prepareCommand(space, command);
  }

  @Override
  public Function<Transaction, Note> prepareCommand(SpaceId space, RememberNote remembered) {
    return requirePermission(space, MemoryPermission.WRITE).prepareCommand(space, remembered);
  }

  @Override
  public <T> T view(SpaceId space, Function<MemoryView, T> reading) {
    return requirePermission(space, MemoryPermission.READ).view(space, reading);
  }

  @Override
  public Note remember(SpaceId space, RememberNote remembered) {
    return requirePermission(space, MemoryPermission.WRITE).remember(space, remembered);
  }

  @Override
  public AppendResult remember(SpaceId space, String session, List<NewTurn> turns) {
    return requirePermission(space, MemoryPermission.WRITE).remember(space, session, turns);
  }

  @Override
  public Note remember(Transaction transaction, RememberNote remembered) {
    return requirePermission(transaction.space(), MemoryPermission.WRITE)
        .remember(transaction, remembered);
  }

  @Override
  public AppendResult remember(Transaction transaction, String session, List<NewTurn> turns) {
    return requirePermission(transaction.space(), MemoryPermission.WRITE)
        .remember(transaction, session, turns);
  }

  @Override
  public RecallResult recall(SpaceId space, RecallQuery query) {
    return requirePermission(space, MemoryPermission.READ).recall(space, query);
  }

  @Override
  public ForgetResult forget(SpaceId space, ForgetRecords command) {
    return requirePermission(space, requiredPermission(command)).forget(space, command);
  }

  /** Jobs act for the system: the caller had the permission when the work began. */
  @Override
  public void registerFollowUpHandlers(Jobs jobs) {
    memory.registerFollowUpHandlers(jobs);
  }

  @Override
  public void registerJobHandlers(Jobs jobs) {
    memory.registerJobHandlers(jobs);
  }

  @Override
  public void scheduleJobs(SpaceId space) {
    requirePermission(space, MemoryPermission.TEND).scheduleJobs(space);
  }

  @Override
  public CleanupResult runMaintenance(SpaceId space) {
    return requirePermission(space, MemoryPermission.TEND).runMaintenance(space);
  }

  @Override
  public List<Turn> summarizedTurns(SpaceId space, Id summarized) {
    return requirePermission(space, MemoryPermission.READ).summarizedTurns(space, summarized);
  }
}
