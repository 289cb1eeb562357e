package dev.caliber.kernel.pack;

import dev.caliber.kernel.config.CompiledConfig;
import java.util.List;
import java.util.Optional;

/**
 * Pack that passed every check: the typed form of its {@code cal.toml}, with every reference
 * resolved. Lists keep the order of the file. Secrets are names of environment variables, never
 * values.
 *
 * @param config memories, policies, injections and adapters, as compiled by the language's compiler
 */
public record Pack(
    PackMetadata meta,
    PackDefaults defaults,
    SettingsMatrix matrix,
    List<PackProfile> profiles,
    List<PackAdapter> adapters,
    List<PackFormat> formats,
    List<PackInjection> injections,
    List<PackProvider> providers,
    Optional<PackRouting> routing,
    List<PackTool> tools,
    List<PackToolset> toolsets,
    List<PackAgent> agents,
    CompiledConfig config) {
  public Pack {
    profiles = List.copyOf(profiles);
    adapters = List.copyOf(adapters);
    formats = List.copyOf(formats);
    injections = List.copyOf(injections);
    providers = List.copyOf(providers);
    tools = List.copyOf(tools);
    toolsets = List.copyOf(toolsets);
    agents = List.copyOf(agents);
  }
}
