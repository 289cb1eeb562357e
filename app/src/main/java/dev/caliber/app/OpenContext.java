package dev.caliber.app;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsParts;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.pcp.Guardian;
import dev.caliber.models.Models;

/** Memory and its assembler for the time of one command. */
record OpenContext(OpenSearch search, Memory memory, ContextAssembler assembler, Guardian guardian)
    implements AutoCloseable {

  /** With the embedding model where a query asks by meaning. */
  static OpenContext of(Workbench workbench, boolean meaning) {
    OpenSearch search = meaning ? OpenSearch.withModels(workbench) : OpenSearch.of(workbench);
    try {
      MemoryParts parts = OpenMemory.parts(workbench, search.store()).withSearch(search.index());
      Memory memory = OpenMemory.over(search);
      ContextAssembler assembler = assembler(workbench, search, parts);
      Guardian guardian =
          Guardian.of(
              new Guardian.Rooms(search.store().records(), memory, assembler),
              workbench.rooms().memory(),
              parts);
      return new OpenContext(search, memory, assembler, guardian);
    } catch (RuntimeException e) {
      search.close();
      throw e;
    }
  }

  private static ContextAssembler assembler(
      Workbench workbench, OpenSearch search, MemoryParts parts) {
    AppConfig.Rooms rooms = workbench.rooms();
    return ContextAssembler.of(
        search.store().records(), rooms.memory(), parts, Models.counters(rooms.models()));
  }

  /** Agents that work in this memory. */
  Agents agents(Workbench workbench) {
    AppConfig.Rooms rooms = workbench.rooms();
    return Agents.of(
        search.store().records(),
        rooms.agents(),
        new AgentsParts(
            workbench.surroundings().clock(), rooms.runtime(), memory, rooms.memory(), assembler));
  }

  /** A trajectory by its id, or by the name of its session. */
  Id trajectory(SpaceId space, String named) {
    return memory
        .view(space, view -> view.session(named))
        .map(trajectory -> trajectory.id())
        .orElseGet(() -> id(named));
  }

  static Id id(String text) {
    try {
      return Id.parse(text);
    } catch (KernelException _) {
      throw AppException.usage(
          "There is no session '%s' here, and it is no id".formatted(text),
          "Name a session as 'caliber remember --session' did, or an id.");
    }
  }

  /** The id of a window, which has no other name. */
  static Id window(String text) {
    return id(text, "window", "'caliber windows TRAJECTORY' lists those that are kept.");
  }

  /** The id of a checkpoint, which has no other name either. */
  static Id checkpoint(String text) {
    return id(text, "checkpoint", "'caliber checkpoint list TRAJECTORY' lists them.");
  }

  /** The id of an artifact. */
  static Id artifact(String text) {
    return id(text, "artifact", "'caliber artifacts TRAJECTORY' lists them.");
  }

  /** The id of a note. */
  static Id note(String text) {
    return id(text, "note", "'caliber notes' lists them.");
  }

  private static Id id(String text, String what, String advice) {
    try {
      return Id.parse(text);
    } catch (KernelException _) {
      throw AppException.usage("'%s' is no id of a %s".formatted(text, what), advice);
    }
  }

  @Override
  public void close() {
    search.close();
  }
}
