package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.Appended;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.Consolidate;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.Forgotten;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.LearnFromTurns;
import dev.caliber.memory.command.MoveTrajectory;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.Promote;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Recollection;
import dev.caliber.memory.command.Remember;
import dev.caliber.memory.command.RollBack;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.Swept;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Jobs;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.function.Function;

/**
 * Memory for one agent: each call needs the grant for the kind of record that it is about. A call
 * that may touch any kind needs all of them.
 */
record AgentMemory(Memory memory, RecordedAgents agents, ActingAgent acting) implements Memory {
  private static final Needs CHANGING_NOTES = Needs.changing(MemoryKind.NOTE);
  private static final Needs WRITING_TURNS =
      Needs.writing(MemoryKind.TRAJECTORY, MemoryKind.SCOPE, MemoryKind.TURN);
  private static final Needs READING_ALL = Needs.reading(MemoryKind.values());
  private static final Needs WRITING_ALL = Needs.writing(MemoryKind.values());

  /** The actor is the agent, whatever name is given. */
  @Override
  public Memory as(String other) {
    throw refused(AgentsException.denied(acting.agent(), "act as", other));
  }

  private AgentsException refused(AgentsException refusal) {
    agents.refused(acting, "memory", refusal);
    return refusal;
  }

  private Memory allowed(SpaceId space, Needs needs) {
    agents.require(space, acting, needs);
    return memory;
  }

  private Memory allowed(Transaction transaction, Needs needs) {
    agents.require(transaction, acting, needs);
    return memory;
  }

  /**
   * The kinds that a command writes; and reads, if its answer can be what was there before. A note
   * may be merged into another, and an artifact or a turn with a name may be there already.
   */
  private static Needs needs(Command<?> command) {
    return switch (command) {
      case StartTrajectory _, SaveCheckpoint _ -> Needs.writing(MemoryKind.TRAJECTORY);
      case MoveTrajectory _, EndTrajectory _ -> Needs.changing(MemoryKind.TRAJECTORY);
      case OpenScope _ -> Needs.writing(MemoryKind.SCOPE);
      case CloseScope _ -> Needs.changing(MemoryKind.SCOPE);
      case AppendTurns append -> saying(append.turns(), Needs.writing(MemoryKind.TURN));
      case LearnFromTurns _ -> CHANGING_NOTES;
      case CreateArtifacts _, SupersedeArtifact _ -> Needs.changing(MemoryKind.ARTIFACT);
      case SupersedeNote _ -> Needs.writing(MemoryKind.NOTE);
      case WriteNote _, EndNote _ -> CHANGING_NOTES;
      case ForkTrajectory _, Consolidate _, RollBack _, RunPolicy _, Forget _, Promote _ ->
          Needs.EVERYTHING;
    };
  }

  private static Needs saying(List<NewTurn> turns, Needs needs) {
    return turns.stream().anyMatch(turn -> turn.labels().externalId().isPresent())
        ? needs.and(Needs.reading(MemoryKind.TURN))
        : needs;
  }

  @Override
  public <R> R run(SpaceId space, Command<R> command) {
    return allowed(space, needs(command)).run(space, command);
  }

  @Override
  public <R> R run(Transaction transaction, Command<R> command) {
    return allowed(transaction, needs(command)).run(transaction, command);
  }

  /** Asked again in the commit: what an agent may do can have changed since. */
  @Override
  public <R> Function<Transaction, R> prepare(SpaceId space, Command<R> command) {
    Needs needs = needs(command);
    return guarded(allowed(space, needs).prepare(space, command), needs);
  }

  @Override
  public Function<Transaction, Note> prepare(SpaceId space, Remember remembered) {
    return guarded(allowed(space, CHANGING_NOTES).prepare(space, remembered), CHANGING_NOTES);
  }

  private <R> Function<Transaction, R> guarded(Function<Transaction, R> ready, Needs needs) {
    return transaction -> {
      agents.require(transaction, acting, needs);
      return ready.apply(transaction);
    };
  }

  /** A view shows everything. */
  @Override
  public <T> T view(SpaceId space, Function<MemoryView, T> reading) {
    return allowed(space, READING_ALL).view(space, reading);
  }

  @Override
  public Note remember(SpaceId space, Remember remembered) {
    return allowed(space, CHANGING_NOTES).remember(space, remembered);
  }

  @Override
  public Appended remember(SpaceId space, String session, List<NewTurn> turns) {
    return allowed(space, saying(turns, WRITING_TURNS))
        .remember(space, session, turns)
        .withoutNotes();
  }

  @Override
  public Note remember(Transaction transaction, Remember remembered) {
    return allowed(transaction, CHANGING_NOTES).remember(transaction, remembered);
  }

  @Override
  public Appended remember(Transaction transaction, String session, List<NewTurn> turns) {
    return allowed(transaction, saying(turns, WRITING_TURNS))
        .remember(transaction, session, turns)
        .withoutNotes();
  }

  @Override
  public Recollection recall(SpaceId space, RecallQuery query) {
    return allowed(space, Needs.of(query.filter())).recall(space, query);
  }

  @Override
  public Forgotten forget(SpaceId space, Forget command) {
    return allowed(space, Needs.EVERYTHING).forget(space, command);
  }

  @Override
  public void attach(Jobs jobs) {
    throw refused(AgentsException.denied(acting.agent(), "attach", "jobs"));
  }

  @Override
  public void arm(SpaceId space) {
    allowed(space, WRITING_ALL).arm(space);
  }

  @Override
  public Swept tend(SpaceId space) {
    return allowed(space, WRITING_ALL).tend(space);
  }

  @Override
  public List<Turn> uncompact(SpaceId space, Id summarized) {
    return allowed(space, Needs.reading(MemoryKind.TURN)).uncompact(space, summarized);
  }
}
