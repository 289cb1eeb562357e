package dev.caliber.agents;

import dev.caliber.agents.delegation.Briefing;
import dev.caliber.agents.delegation.ContextSharing;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.delegation.SharedRecords;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.EnumNames;
import dev.caliber.agents.registry.Grant;
import dev.caliber.agents.registry.MemoryAccess.AccessMode;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the records shared with a receiver, while it works on them and may read them. */
record BriefingReader(RecordStore store, AgentsConfig config, AgentsDependencies parts) {

  Briefing readBriefing(SpaceId space, AgentId receiver, Id work) {
    SharedContents sharedContents =
        store.read(space, snapshot -> sharedContents(snapshot, receiver, work));
    return new Briefing(
        sharedContents.artifacts(),
        sharedContents.notes(),
        sharedContents.context().map(window -> parts.contexts().replay(space, window)));
  }

  /** Shared records; the window's text is replayed outside the read. */
  private record SharedContents(
      List<Artifact> artifacts, List<Note> notes, Optional<Window> context) {}

  private SharedContents sharedContents(Snapshot snapshot, AgentId receiver, Id work) {
    AgentsView view = AgentsView.of(snapshot, config);
    Agent agent = view.agent(receiver);
    Optional<Handoff> handoff = snapshot.find(Handoff.TABLE, work);
    return handoff.isPresent()
        ? handoffContents(snapshot, agent, handoff.get())
        : delegationContents(snapshot, agent, view.delegation(work));
  }

  private static SharedContents delegationContents(
      Snapshot snapshot, Agent agent, Delegation delegation) {
    requireReceiver(agent, delegation.delegatee());
    if (delegation.status().isTerminal()) {
      throw AgentsException.delegationFailed(
          "delegation %s is %s"
              .formatted(delegation.id(), EnumNames.lowerCaseName(delegation.status())));
    }
    return readShared(snapshot, agent, delegation.task().shared(), Optional.empty());
  }

  /** Returns the contents of a handoff; the other records remain if its snapshot was forgotten. */
  private static SharedContents handoffContents(Snapshot snapshot, Agent agent, Handoff handoff) {
    requireReceiver(agent, handoff.receiver());
    handoff
        .supersededBy()
        .ifPresent(
            other -> {
              throw AgentsException.handoffFailed("the handoff was superseded by " + other);
            });
    if (handoff.sharing() == ContextSharing.NEED_TO_KNOW) {
      return readShared(snapshot, agent, handoff.shared(), Optional.empty());
    }
    Stream.of(MemoryKind.TURN, MemoryKind.ARTIFACT, MemoryKind.NOTE)
        .forEach(kind -> requireReadable(snapshot, agent, kind));
    return readShared(
        snapshot, agent, handoff.shared(), snapshot.find(Window.TABLE, handoff.snapshot()));
  }

  private static SharedContents readShared(
      Snapshot snapshot, Agent agent, SharedRecords sharedRecords, Optional<Window> context) {
    if (!sharedRecords.artifacts().isEmpty()) {
      requireReadable(snapshot, agent, MemoryKind.ARTIFACT);
    }
    if (!sharedRecords.notes().isEmpty()) {
      requireReadable(snapshot, agent, MemoryKind.NOTE);
    }
    return new SharedContents(
        findExisting(snapshot, Artifact.TABLE, sharedRecords.artifacts()),
        findExisting(snapshot, Note.TABLE, sharedRecords.notes()),
        context);
  }

  private static void requireReadable(Snapshot snapshot, Agent agent, MemoryKind kind) {
    if (!agent
        .profile()
        .access()
        .allows(AccessMode.READ, kind, snapshot.space(), snapshot.space())) {
      throw AgentsException.accessDenied(
          agent.id(), AccessMode.READ.lowerCaseName(), Grant.kindName(kind));
    }
  }

  /** Returns those that were not forgotten since. */
  private static <T> List<T> findExisting(Snapshot snapshot, Table<T> table, List<Id> ids) {
    return ids.stream().flatMap(id -> snapshot.find(table, id).stream()).toList();
  }

  private static void requireReceiver(Agent agent, Optional<AgentId> receiver) {
    if (receiver.filter(agent.id()::equals).isEmpty()) {
      throw AgentsException.accessDenied(agent.id(), "read", "records shared with another agent");
    }
  }
}
