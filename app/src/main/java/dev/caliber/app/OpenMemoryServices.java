package dev.caliber.app;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsDependencies;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryDependencies;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.pcp.ContextIntegrity;
import dev.caliber.models.Models;

/** Memory and its context assembler, open for one command. */
record OpenMemoryServices(
    OpenIndex search, Memory memory, ContextAssembler assembler, ContextIntegrity guardian)
    implements AutoCloseable {

  /** Opens them, with the embedding model if a query searches by meaning. */
  static OpenMemoryServices of(CommandContext commandContext, boolean meaning) {
    OpenIndex search =
        meaning ? OpenIndex.withModels(commandContext) : OpenIndex.withoutModels(commandContext);
    try {
      MemoryDependencies parts =
          MemoryFactory.memoryParts(commandContext, search.store()).withSearch(search.index());
      Memory memory = MemoryFactory.create(search);
      ContextAssembler assembler = assembler(commandContext, search, parts);
      ContextIntegrity contextIntegrity =
          ContextIntegrity.of(
              new ContextIntegrity.ContextIntegrityDependencies(
                  search.store().records(), memory, assembler),
              commandContext.configs().memory(),
              parts);
      return new OpenMemoryServices(search, memory, assembler, contextIntegrity);
    } catch (RuntimeException e) {
      search.close();
      throw e;
    }
  }

  private static ContextAssembler assembler(
      CommandContext commandContext, OpenIndex search, MemoryDependencies parts) {
    AppConfig.ModuleConfigs moduleConfigs = commandContext.configs();
    return ContextAssembler.of(
        search.store().records(),
        moduleConfigs.memory(),
        parts,
        Models.tokenCounters(moduleConfigs.models()));
  }

  /** Returns the agents that work in this memory. */
  Agents agents(CommandContext commandContext) {
    AppConfig.ModuleConfigs moduleConfigs = commandContext.configs();
    return Agents.of(
        search.store().records(),
        moduleConfigs.agents(),
        new AgentsDependencies(
            commandContext.environment().clock(),
            moduleConfigs.runtime(),
            memory,
            moduleConfigs.memory(),
            assembler));
  }

  /** Returns a trajectory by its id, or by the name of its session. */
  Id trajectoryId(SpaceId space, String named) {
    return memory
        .view(space, view -> view.newestTrajectoryByExternalId(named))
        .map(trajectory -> trajectory.id())
        .orElseGet(() -> parseTrajectoryId(named));
  }

  static Id parseTrajectoryId(String text) {
    try {
      return Id.parse(text);
    } catch (KernelException _) {
      throw AppException.usage(
          "No session '%s' in this space, and it is not an id".formatted(text),
          "Name a session as 'caliber remember --session' did, or an id.");
    }
  }

  /** Parses the id of a window. */
  static Id parseWindowId(String text) {
    return parseId(text, "window", "'caliber windows TRAJECTORY' lists the stored windows.");
  }

  /** Parses the id of a checkpoint. */
  static Id parseCheckpointId(String text) {
    return parseId(text, "checkpoint", "'caliber checkpoint list TRAJECTORY' lists them.");
  }

  /** Parses the id of an artifact. */
  static Id parseArtifactId(String text) {
    return parseId(text, "artifact", "'caliber artifacts TRAJECTORY' lists them.");
  }

  /** Parses the id of a note. */
  static Id parseNoteId(String text) {
    return parseId(text, "note", "'caliber notes' lists them.");
  }

  private static Id parseId(String text, String what, String advice) {
    try {
      return Id.parse(text);
    } catch (KernelException _) {
      throw AppException.usage("'%s' is not the id of a %s".formatted(text, what), advice);
    }
  }

  @Override
  public void close() {
    search.close();
  }
}
