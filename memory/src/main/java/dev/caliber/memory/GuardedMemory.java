package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
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
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Texts;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.AccessPolicy;
import dev.caliber.memory.spi.AccessPolicy.Access;
import dev.caliber.store.Jobs;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Memory that asks before it does anything. Nobody in particular may do nothing. */
record GuardedMemory(Memory memory, AccessPolicy policy, Optional<String> actor) implements Memory {

  @Override
  public Memory as(String other) {
    Texts.requireFilled("actor", other);
    return new GuardedMemory(memory, policy, Optional.of(other));
  }

  private Memory allowed(SpaceId space, Access access) {
    if (actor.filter(name -> policy.allows(name, space, access)).isEmpty()) {
      throw MemoryException.denied(actor.orElse("nobody"), space, access);
    }
    return memory;
  }

  private static Access access(Command<?> command) {
    return switch (command) {
      case Forget forget -> access(forget);
      case RunPolicy _ -> Access.TEND;
      case RollBack back -> back.preview() ? Access.READ : Access.WRITE;
      case StartTrajectory _,
          ForkTrajectory _,
          MoveTrajectory _,
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
          Promote _,
          Consolidate _,
          SaveCheckpoint _ ->
          Access.WRITE;
    };
  }

  private static Access access(Forget command) {
    return command.preview() ? Access.READ : Access.FORGET;
  }

  @Override
  public <R> R run(SpaceId space, Command<R> command) {
    return allowed(space, access(command)).run(space, command);
  }

  @Override
  public <R> R run(Transaction transaction, Command<R> command) {
    return allowed(transaction.space(), access(command)).run(transaction, command);
  }

  @Override
  public <R> Function<Transaction, R> prepare(SpaceId space, Command<R> command) {
    return allowed(space, access(command)).prepare(space, command);
  }

  @Override
  public Function<Transaction, Note> prepare(SpaceId space, Remember remembered) {
    return allowed(space, Access.WRITE).prepare(space, remembered);
  }

  @Override
  public <T> T view(SpaceId space, Function<MemoryView, T> reading) {
    return allowed(space, Access.READ).view(space, reading);
  }

  @Override
  public Note remember(SpaceId space, Remember remembered) {
    return allowed(space, Access.WRITE).remember(space, remembered);
  }

  @Override
  public Appended remember(SpaceId space, String session, List<NewTurn> turns) {
    return allowed(space, Access.WRITE).remember(space, session, turns);
  }

  @Override
  public Note remember(Transaction transaction, Remember remembered) {
    return allowed(transaction.space(), Access.WRITE).remember(transaction, remembered);
  }

  @Override
  public Appended remember(Transaction transaction, String session, List<NewTurn> turns) {
    return allowed(transaction.space(), Access.WRITE).remember(transaction, session, turns);
  }

  @Override
  public Recollection recall(SpaceId space, RecallQuery query) {
    return allowed(space, Access.READ).recall(space, query);
  }

  @Override
  public Forgotten forget(SpaceId space, Forget command) {
    return allowed(space, access(command)).forget(space, command);
  }

  /** Jobs act for the system: what they go on with was allowed when it began. */
  @Override
  public void attach(Jobs jobs) {
    memory.attach(jobs);
  }

  @Override
  public void arm(SpaceId space) {
    allowed(space, Access.TEND).arm(space);
  }

  @Override
  public Swept tend(SpaceId space) {
    return allowed(space, Access.TEND).tend(space);
  }

  @Override
  public List<Turn> uncompact(SpaceId space, Id summarized) {
    return allowed(space, Access.READ).uncompact(space, summarized);
  }
}
