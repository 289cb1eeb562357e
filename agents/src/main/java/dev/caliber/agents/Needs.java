package dev.caliber.agents;

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
 * What an agent has to be allowed for something to be done as it.
 *
 * @param read kinds of memory that it reads
 * @param write kinds of memory that it writes
 * @param names in whose names it is done
 * @param operators what no agent is allowed, by name
 * @param failed whether one that has failed may do it, too
 */
public record Needs(
    Set<MemoryKind> read,
    Set<MemoryKind> write,
    Set<AgentId> names,
    Optional<String> operators,
    boolean failed) {
  /** Nothing but that the agent is there. */
  public static final Needs NOTHING =
      new Needs(Set.of(), Set.of(), Set.of(), Optional.empty(), false);

  /** What all that memory has can be read and written with. */
  public static final Needs EVERYTHING = changing(MemoryKind.values());

  public Needs {
    read = Set.copyOf(read);
    write = Set.copyOf(write);
    names = Set.copyOf(names);
  }

  public static Needs reading(MemoryKind... kinds) {
    return new Needs(Set.of(kinds), Set.of(), Set.of(), Optional.empty(), false);
  }

  public static Needs writing(MemoryKind... kinds) {
    return new Needs(Set.of(), Set.of(kinds), Set.of(), Optional.empty(), false);
  }

  /** To write what is answered with what was there before. */
  public static Needs changing(MemoryKind... kinds) {
    return reading(kinds).and(writing(kinds));
  }

  /** To read what may be found: what the filter leaves out is not asked for. */
  public static Needs of(RecallFilter filter) {
    boolean ofNotes = filter.entity().isPresent() || !filter.noteTypes().isEmpty();
    return ofNotes ? reading(MemoryKind.NOTE) : reading(wanted(filter));
  }

  private static MemoryKind[] wanted(RecallFilter filter) {
    return Stream.of(MemoryKind.NOTE, MemoryKind.TURN, MemoryKind.ARTIFACT)
        .filter(kind -> filter.wants(EntityType.valueOf(kind.name())))
        .toArray(MemoryKind[]::new);
  }

  /** In these names, and no other. */
  public static Needs speakingFor(Collection<AgentId> agents) {
    return new Needs(Set.of(), Set.of(), Set.copyOf(agents), Optional.empty(), false);
  }

  /** In the name of whoever gives the command, if that is for agents. */
  public static Needs of(AgentCommand<?> command) {
    return switch (command) {
      case RegisterAgent _, UnregisterAgent _, RevokeLease _, ReviveMessage _ ->
          operator(command.getClass().getSimpleName());
      case Beat beat -> speakingFor(beat.agents()).orFailed();
      case MoveAgent move -> speakingFor(List.of(move.agent())).orFailed();
      case WorkOn _,
          AcquireLease _,
          RenewLease _,
          ReleaseLease _,
          LeaveQueue _,
          SendMessage _,
          ReceiveMessages _,
          AcknowledgeMessage _,
          ReturnMessage _,
          Delegate _,
          MoveDelegation _,
          HandOver _,
          MoveHandoff _,
          ReportConflict _,
          MoveConflict _ ->
          speakingFor(List.of(Refusals.actor(command)));
    };
  }

  /** What no agent is allowed. */
  public static Needs operator(String what) {
    return new Needs(Set.of(), Set.of(), Set.of(), Optional.of(what), false);
  }

  /** The same for one that has failed: its way back. */
  private Needs orFailed() {
    return new Needs(read, write, names, operators, true);
  }

  public Needs and(Needs other) {
    return new Needs(
        both(read, other.read),
        both(write, other.write),
        both(names, other.names),
        operators.or(other::operators),
        failed && other.failed);
  }

  private static <T> Set<T> both(Set<T> one, Set<T> other) {
    Set<T> both = new HashSet<>(one);
    both.addAll(other);
    return both;
  }

  /** What it is about, as traces tell it. */
  String word() {
    return operators.orElse(isOfMemory() ? "memory" : "name");
  }

  private boolean isOfMemory() {
    return !read.isEmpty() || !write.isEmpty();
  }
}
