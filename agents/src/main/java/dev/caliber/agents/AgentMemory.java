package dev.caliber.agents;

import dev.caliber.agents.MemoryAccess.Access;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.Consolidate;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.Forgotten;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.MoveTrajectory;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
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
import java.util.stream.Stream;

/**
 * Memory for one agent: each call needs the grant for the kind of record that it is about. A call
 * that may touch any kind needs all of them.
 *
 * @param home where the agent is registered
 */
record AgentMemory(Memory memory, RecordedAgents agents, SpaceId home, AgentId actor)
    implements Memory {

  /** The actor is the agent, whatever name is given. */
  @Override
  public Memory as(String other) {
    throw refused(AgentsException.denied(actor, "act as", other));
  }

  private AgentsException refused(AgentsException refusal) {
    agents.refused(home, actor, "memory", refusal);
    return refusal;
  }

  private Memory allowed(SpaceId space, Access access, MemoryKind... kinds) {
    try {
      agents.view(home, view -> require(view.agent(actor), space, access, kinds));
      return memory;
    } catch (AgentsException refusal) {
      throw refused(refusal);
    }
  }

  private Agent require(Agent agent, SpaceId space, Access access, MemoryKind... kinds) {
    if (agent.status() == AgentStatus.FAILED) {
      throw AgentsException.failed(actor);
    }
    for (MemoryKind kind : kinds) {
      if (!agent.profile().access().allows(access, kind, space, home)) {
        throw AgentsException.denied(actor, access.word(), Grant.word(kind));
      }
    }
    return agent;
  }

  private Memory allowedAll(SpaceId space, Access... accesses) {
    Stream.of(accesses).forEach(access -> allowed(space, access, MemoryKind.values()));
    return memory;
  }

  /** The kinds that a command writes. */
  private static MemoryKind[] kinds(Command<?> command) {
    return switch (command) {
      case StartTrajectory _, MoveTrajectory _, EndTrajectory _, SaveCheckpoint _ ->
          new MemoryKind[] {MemoryKind.TRAJECTORY};
      case OpenScope _, CloseScope _ -> new MemoryKind[] {MemoryKind.SCOPE};
      case AppendTurns _ -> new MemoryKind[] {MemoryKind.TURN};
      case CreateArtifacts _, SupersedeArtifact _ -> new MemoryKind[] {MemoryKind.ARTIFACT};
      case WriteNote _, SupersedeNote _, EndNote _ -> new MemoryKind[] {MemoryKind.NOTE};
      case ForkTrajectory _, Consolidate _, RollBack _, RunPolicy _, Forget _ ->
          MemoryKind.values();
    };
  }

  @Override
  public <R> R run(SpaceId space, Command<R> command) {
    return allowed(space, Access.WRITE, kinds(command)).run(space, command);
  }

  @Override
  public <R> R run(Transaction transaction, Command<R> command) {
    return allowed(transaction, kinds(command)).run(transaction, command);
  }

  /** Inside a commit the agent is read from that commit, so it has to be registered there. */
  private Memory allowed(Transaction transaction, MemoryKind... kinds) {
    if (!transaction.space().equals(home)) {
      throw AgentsException.denied(actor, "join", "a commit of space " + transaction.space());
    }
    Agent agent =
        transaction
            .find(Agent.TABLE, actor)
            .orElseThrow(() -> AgentsException.notRegistered(actor));
    require(agent, home, Access.WRITE, kinds);
    return memory;
  }

  /** A view shows everything. */
  @Override
  public <T> T view(SpaceId space, Function<MemoryView, T> reading) {
    return allowedAll(space, Access.READ).view(space, reading);
  }

  @Override
  public Note remember(SpaceId space, Remember remembered) {
    return allowed(space, Access.WRITE, MemoryKind.NOTE).remember(space, remembered);
  }

  @Override
  public List<Turn> remember(SpaceId space, String session, List<NewTurn> turns) {
    return allowed(space, Access.WRITE, MemoryKind.TRAJECTORY, MemoryKind.SCOPE, MemoryKind.TURN)
        .remember(space, session, turns);
  }

  @Override
  public Note remember(Transaction transaction, Remember remembered) {
    return allowed(transaction, MemoryKind.NOTE).remember(transaction, remembered);
  }

  @Override
  public List<Turn> remember(Transaction transaction, String session, List<NewTurn> turns) {
    return allowed(transaction, MemoryKind.TRAJECTORY, MemoryKind.SCOPE, MemoryKind.TURN)
        .remember(transaction, session, turns);
  }

  @Override
  public Recollection recall(SpaceId space, RecallQuery query) {
    return allowed(space, Access.READ, MemoryKind.NOTE, MemoryKind.TURN, MemoryKind.ARTIFACT)
        .recall(space, query);
  }

  @Override
  public Forgotten forget(SpaceId space, Forget command) {
    return allowedAll(space, Access.READ, Access.WRITE).forget(space, command);
  }

  @Override
  public void attach(Jobs jobs) {
    throw refused(AgentsException.denied(actor, "attach", "jobs"));
  }

  @Override
  public void arm(SpaceId space) {
    allowedAll(space, Access.WRITE).arm(space);
  }

  @Override
  public Swept tend(SpaceId space) {
    return allowedAll(space, Access.WRITE).tend(space);
  }

  @Override
  public List<Turn> uncompact(SpaceId space, Id summarized) {
    return allowed(space, Access.READ, MemoryKind.TURN).uncompact(space, summarized);
  }
}
