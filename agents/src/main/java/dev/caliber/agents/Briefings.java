package dev.caliber.agents;

import dev.caliber.agents.MemoryAccess.Access;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tells receivers what crossed to them: for as long as it is theirs to work on, and they may read
 * it.
 */
record Briefings(RecordStore store, AgentsConfig config, AgentsParts parts) {

  Briefing of(SpaceId space, AgentId receiver, Id work) {
    Crossed crossed = store.read(space, snapshot -> crossed(snapshot, receiver, work));
    return new Briefing(
        crossed.artifacts(),
        crossed.notes(),
        crossed.context().map(window -> contexts(receiver).replay(space, window)));
  }

  private ContextAssembler contexts(AgentId receiver) {
    return parts.contexts().as(receiver.value());
  }

  /** What crossed; the window's text is made again outside the read. */
  private record Crossed(List<Artifact> artifacts, List<Note> notes, Optional<Window> context) {}

  private Crossed crossed(Snapshot snapshot, AgentId receiver, Id work) {
    AgentsView view = AgentsView.of(snapshot, config);
    Agent agent = view.agent(receiver);
    Optional<Handoff> handoff = snapshot.find(Handoff.TABLE, work);
    return handoff.isPresent()
        ? handedOver(snapshot, agent, handoff.get())
        : delegated(snapshot, agent, view.delegation(work));
  }

  private static Crossed delegated(Snapshot snapshot, Agent agent, Delegation delegation) {
    requireReceiver(agent, delegation.delegatee());
    if (delegation.status().isTerminal()) {
      throw AgentsException.delegation(
          "%s is %s".formatted(delegation.id(), Words.of(delegation.status())));
    }
    return named(snapshot, agent, delegation.task().shared(), Optional.empty());
  }

  /** A snapshot that was forgotten meanwhile takes nothing else with it. */
  private static Crossed handedOver(Snapshot snapshot, Agent agent, Handoff handoff) {
    requireReceiver(agent, handoff.receiver());
    handoff
        .supersededBy()
        .ifPresent(
            other -> {
              throw AgentsException.handoff("another took its place: " + other);
            });
    if (handoff.sharing() == Sharing.NEED_TO_KNOW) {
      return named(snapshot, agent, handoff.shared(), Optional.empty());
    }
    Stream.of(MemoryKind.TURN, MemoryKind.ARTIFACT, MemoryKind.NOTE)
        .forEach(kind -> requireReadable(snapshot, agent, kind));
    return named(
        snapshot, agent, handoff.shared(), snapshot.find(Window.TABLE, handoff.snapshot()));
  }

  private static Crossed named(
      Snapshot snapshot, Agent agent, Shared shared, Optional<Window> context) {
    if (!shared.artifacts().isEmpty()) {
      requireReadable(snapshot, agent, MemoryKind.ARTIFACT);
    }
    if (!shared.notes().isEmpty()) {
      requireReadable(snapshot, agent, MemoryKind.NOTE);
    }
    return new Crossed(
        found(snapshot, Artifact.TABLE, shared.artifacts()),
        found(snapshot, Note.TABLE, shared.notes()),
        context);
  }

  private static void requireReadable(Snapshot snapshot, Agent agent, MemoryKind kind) {
    if (!agent.profile().access().allows(Access.READ, kind, snapshot.space(), snapshot.space())) {
      throw AgentsException.denied(agent.id(), Access.READ.word(), Grant.word(kind));
    }
  }

  /** Those that were not forgotten since. */
  private static <T> List<T> found(Snapshot snapshot, Table<T> table, List<Id> ids) {
    return ids.stream().flatMap(id -> snapshot.find(table, id).stream()).toList();
  }

  private static void requireReceiver(Agent agent, Optional<AgentId> receiver) {
    if (receiver.filter(agent.id()::equals).isEmpty()) {
      throw AgentsException.denied(agent.id(), "read", "what crossed to another");
    }
  }
}
