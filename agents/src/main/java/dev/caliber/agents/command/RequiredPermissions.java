package dev.caliber.agents.command;

import dev.caliber.agents.registry.AgentId;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryKind;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Permissions that an agent needs for an action.
 *
 * @param readKinds kinds of memory that it reads
 * @param writeKinds kinds of memory that it writes
 * @param actors the agents in whose names it acts
 * @param operatorAction name of an action that no agent is allowed
 * @param failedAllowed whether a failed agent may do it
 */
public record RequiredPermissions(
    Set<MemoryKind> readKinds,
    Set<MemoryKind> writeKinds,
    Set<AgentId> actors,
    Optional<String> operatorAction,
    boolean failedAllowed) {
  /** Requires only that the agent is registered. */
  public static final RequiredPermissions NOTHING =
      new RequiredPermissions(Set.of(), Set.of(), Set.of(), Optional.empty(), false);

  /** Requires read and write access to all kinds. */
  public static final RequiredPermissions EVERYTHING = forChanging(MemoryKind.values());

  public RequiredPermissions {
    readKinds = Set.copyOf(readKinds);
    writeKinds = Set.copyOf(writeKinds);
    actors = Set.copyOf(actors);
  }

  public static RequiredPermissions forReading(MemoryKind... kinds) {
    return new RequiredPermissions(Set.of(kinds), Set.of(), Set.of(), Optional.empty(), false);
  }

  public static RequiredPermissions forWriting(MemoryKind... kinds) {
    return new RequiredPermissions(Set.of(), Set.of(kinds), Set.of(), Optional.empty(), false);
  }

  /** Requires read and write access, because the result may be an existing record. */
  public static RequiredPermissions forChanging(MemoryKind... kinds) {
    return forReading(kinds).and(forWriting(kinds));
  }

  /** Requires read access to the kinds that the filter includes. */
  public static RequiredPermissions forRecall(RecallFilter filter) {
    boolean ofNotes = filter.entity().isPresent() || !filter.noteTypes().isEmpty();
    return ofNotes ? forReading(MemoryKind.NOTE) : forReading(recalledKinds(filter));
  }

  private static MemoryKind[] recalledKinds(RecallFilter filter) {
    return Stream.of(MemoryKind.NOTE, MemoryKind.TURN, MemoryKind.ARTIFACT)
        .filter(kind -> filter.includesType(EntityType.valueOf(kind.name())))
        .toArray(MemoryKind[]::new);
  }

  /** Requires that these are the acting agents. */
  public static RequiredPermissions forAgents(Collection<AgentId> agents) {
    return new RequiredPermissions(Set.of(), Set.of(), Set.copyOf(agents), Optional.empty(), false);
  }

  /**
   * Requires the name of the agent that gives the command; commands for operators are refused to
   * agents.
   */
  public static RequiredPermissions forCommand(AgentCommand<?> command) {
    return switch (command) {
      case RegisterAgent _, UnregisterAgent _, RevokeLease _, RequeueMessage _ ->
          forOperator(command.getClass().getSimpleName());
      case RecordHeartbeats recordHeartbeats ->
          forAgents(recordHeartbeats.agents()).withFailedAllowed();
      case TransitionAgent move -> forAgents(List.of(move.agent())).withFailedAllowed();
      case AssignTask _,
          AcquireLease _,
          RenewLease _,
          ReleaseLease _,
          LeaveLeaseQueue _,
          SendMessage _,
          ReceiveMessages _,
          AcknowledgeMessage _,
          ReturnMessage _,
          CreateDelegation _,
          TransitionDelegation _,
          StartHandoff _,
          TransitionHandoff _,
          ReportConflict _,
          TransitionConflict _ ->
          forAgents(List.of(actor(command)));
    };
  }

  /** Refuses an action to every agent. */
  public static RequiredPermissions forOperator(String what) {
    return new RequiredPermissions(Set.of(), Set.of(), Set.of(), Optional.of(what), false);
  }

  /** Allows failed agents as well, so that they can recover. */
  private RequiredPermissions withFailedAllowed() {
    return new RequiredPermissions(readKinds, writeKinds, actors, operatorAction, true);
  }

  public RequiredPermissions and(RequiredPermissions other) {
    return new RequiredPermissions(
        union(readKinds, other.readKinds),
        union(writeKinds, other.writeKinds),
        union(actors, other.actors),
        operatorAction.or(other::operatorAction),
        failedAllowed && other.failedAllowed);
  }

  private static <T> Set<T> union(Set<T> one, Set<T> other) {
    Set<T> both = new HashSet<>(one);
    both.addAll(other);
    return both;
  }

  /** Returns the name of the action in traces. */
  public String traceLabel() {
    return operatorAction.orElse(isAboutMemory() ? "memory" : "name");
  }

  private boolean isAboutMemory() {
    return !readKinds.isEmpty() || !writeKinds.isEmpty();
  }

  /** Returns the agent that gives a command; for the commands of operators the system. */
  public static AgentId actor(AgentCommand<?> command) {
    return switch (command) {
      case RegisterAgent register -> register.agent();
      case UnregisterAgent unregister -> unregister.agent();
      case TransitionAgent move -> move.agent();
      case RecordHeartbeats recordHeartbeats ->
          recordHeartbeats.agents().stream().findFirst().orElse(AgentId.SYSTEM);
      case AcquireLease acquire -> acquire.agent();
      case RenewLease renew -> renew.agent();
      case ReleaseLease release -> release.agent();
      case RevokeLease _ -> AgentId.SYSTEM;
      case LeaveLeaseQueue leave -> leave.agent();
      case SendMessage send -> send.from();
      case ReceiveMessages receive -> receive.agent();
      case AcknowledgeMessage acknowledge -> acknowledge.agent();
      case ReturnMessage giveBack -> giveBack.agent();
      case RequeueMessage _ -> AgentId.SYSTEM;
      case AssignTask work -> work.agent();
      case CreateDelegation createDelegation -> createDelegation.delegator();
      case TransitionDelegation move -> move.agent();
      case StartHandoff startHandoff -> startHandoff.from();
      case TransitionHandoff move -> move.agent();
      case ReportConflict report -> report.agent();
      case TransitionConflict move -> move.agent();
    };
  }
}
