package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryView;
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
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Jobs;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.function.Function;

/**
 * Memory for one agent: each call needs the grant for the kinds of records that it uses. A call
 * that may use any kind needs all grants.
 */
record AgentMemory(Memory memory, RecordedAgents agents, ActingAgent acting) implements Memory {
  private static final RequiredPermissions CHANGING_NOTES =
      RequiredPermissions.forChanging(MemoryKind.NOTE);
  private static final RequiredPermissions WRITING_TURNS =
      RequiredPermissions.forWriting(MemoryKind.TRAJECTORY, MemoryKind.SCOPE, MemoryKind.TURN);
  private static final RequiredPermissions READING_ALL =
      RequiredPermissions.forReading(MemoryKind.values());
  private static final RequiredPermissions WRITING_ALL =
      RequiredPermissions.forWriting(MemoryKind.values());

  /** Refuses: the actor is always the agent. */
  @Override
  public Memory asActor(String other) {
    throw recordRefusal(AgentsException.accessDenied(acting.agent(), "act as", other));
  }

  private AgentsException recordRefusal(AgentsException refusal) {
    agents.recordRefusal(acting, "memory", refusal);
    return refusal;
  }

  private Memory requirePermissions(SpaceId space, RequiredPermissions requiredPermissions) {
    agents.requirePermissions(space, acting, requiredPermissions);
    return memory;
  }

  private Memory requirePermissions(
      Transaction transaction, RequiredPermissions requiredPermissions) {
    agents.requirePermissions(transaction, acting, requiredPermissions);
    return memory;
  }

  /**
   * Returns the kinds that a command writes; also those it reads, if its result may be an existing
   * record. A note may be merged into another, and an artifact or a turn with an external id may
   * exist already.
   */
  private static RequiredPermissions requiredPermissions(Command<?> command) {
    return switch (command) {
      case StartTrajectory _, SaveCheckpoint _ ->
          RequiredPermissions.forWriting(MemoryKind.TRAJECTORY);
      case SuspendOrResumeTrajectory _, EndTrajectory _ ->
          RequiredPermissions.forChanging(MemoryKind.TRAJECTORY);
      case OpenScope _ -> RequiredPermissions.forWriting(MemoryKind.SCOPE);
      case CloseScope _ -> RequiredPermissions.forChanging(MemoryKind.SCOPE);
      case AppendTurns append ->
          withExternalIdRead(append.turns(), RequiredPermissions.forWriting(MemoryKind.TURN));
      case LearnFromTurns _ -> CHANGING_NOTES;
      case CreateArtifacts _, SupersedeArtifact _ ->
          RequiredPermissions.forChanging(MemoryKind.ARTIFACT);
      case SupersedeNote _ -> RequiredPermissions.forWriting(MemoryKind.NOTE);
      case WriteNote _, EndNote _ -> CHANGING_NOTES;
      case ForkTrajectory _,
          ConsolidateTrajectory _,
          RollBackTrajectory _,
          RunPolicy _,
          ForgetRecords _,
          PromoteRecord _ ->
          RequiredPermissions.EVERYTHING;
    };
  }

  private static RequiredPermissions withExternalIdRead(
      List<NewTurn> turns, RequiredPermissions requiredPermissions) {
    return turns.stream().anyMatch(turn -> turn.labels().externalId().isPresent())
        ? requiredPermissions.and(RequiredPermissions.forReading(MemoryKind.TURN))
        : requiredPermissions;
  }

  @Override
  public <R> R run(SpaceId space, Command<R> command) {
    return requirePermissions(space, requiredPermissions(command)).run(space, command);
  }

  @Override
  public <R> R run(Transaction transaction, Command<R> command) {
    return requirePermissions(transaction, requiredPermissions(command)).run(transaction, command);
  }

  /** Checks again in the commit, because the agent's grants may have changed since. */
  @Override
  public <R> Function<Transaction, R> prepareCommand(SpaceId space, Command<R> command) {
    RequiredPermissions requiredPermissions = requiredPermissions(command);
    return checkInCommit(
        requirePermissions(space, requiredPermissions).prepareCommand(space, command),
        requiredPermissions);
  }

  @Override
  public Function<Transaction, Note> prepareCommand(SpaceId space, RememberNote remembered) {
    return checkInCommit(
        requirePermissions(space, CHANGING_NOTES).prepareCommand(space, remembered),
        CHANGING_NOTES);
  }

  private <R> Function<Transaction, R> checkInCommit(
      Function<Transaction, R> ready, RequiredPermissions requiredPermissions) {
    return transaction -> {
      agents.requirePermissions(transaction, acting, requiredPermissions);
      return ready.apply(transaction);
    };
  }

  /** Requires all read grants, because a view shows everything. */
  @Override
  public <T> T view(SpaceId space, Function<MemoryView, T> reading) {
    return requirePermissions(space, READING_ALL).view(space, reading);
  }

  @Override
  public Note remember(SpaceId space, RememberNote remembered) {
    return requirePermissions(space, CHANGING_NOTES).remember(space, remembered);
  }

  @Override
  public AppendResult remember(SpaceId space, String session, List<NewTurn> turns) {
    return requirePermissions(space, withExternalIdRead(turns, WRITING_TURNS))
        .remember(space, session, turns)
        .withoutNotes();
  }

  @Override
  public Note remember(Transaction transaction, RememberNote remembered) {
    return requirePermissions(transaction, CHANGING_NOTES).remember(transaction, remembered);
  }

  @Override
  public AppendResult remember(Transaction transaction, String session, List<NewTurn> turns) {
    return requirePermissions(transaction, withExternalIdRead(turns, WRITING_TURNS))
        .remember(transaction, session, turns)
        .withoutNotes();
  }

  @Override
  public RecallResult recall(SpaceId space, RecallQuery query) {
    return requirePermissions(space, RequiredPermissions.forRecall(query.filter()))
        .recall(space, query);
  }

  @Override
  public ForgetResult forget(SpaceId space, ForgetRecords command) {
    return requirePermissions(space, RequiredPermissions.EVERYTHING).forget(space, command);
  }

  @Override
  public void registerFollowUpHandlers(Jobs jobs) {
    throw recordRefusal(AgentsException.accessDenied(acting.agent(), "attach", "jobs"));
  }

  @Override
  public void registerJobHandlers(Jobs jobs) {
    throw recordRefusal(AgentsException.accessDenied(acting.agent(), "attach", "jobs"));
  }

  @Override
  public void scheduleJobs(SpaceId space) {
    requirePermissions(space, WRITING_ALL).scheduleJobs(space);
  }

  @Override
  public CleanupResult runMaintenance(SpaceId space) {
    return requirePermissions(space, WRITING_ALL).runMaintenance(space);
  }

  @Override
  public List<Turn> summarizedTurns(SpaceId space, Id summarized) {
    return requirePermissions(space, RequiredPermissions.forReading(MemoryKind.TURN))
        .summarizedTurns(space, summarized);
  }
}
