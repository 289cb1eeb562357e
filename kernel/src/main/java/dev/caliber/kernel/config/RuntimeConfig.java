package dev.caliber.kernel.config;

import dev.caliber.kernel.settings.CheckedSettings;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.StarterSettings;

/**
 * Settings of this runtime, independent of what a space has deployed: the {@code [context]}, {@code
 * [pcp]}, {@code [memory]} and {@code [coordination]} parts of {@code caliber.toml}. The deployed
 * configuration of a space is a {@link CompiledConfig}.
 */
public record RuntimeConfig(
    ContextConfig context,
    ContextIntegrityConfig pcp,
    MemoryRecordSettings memory,
    CoordinationConfig coordination)
    implements CheckedSettings {

  /** Returns the settings of the starter file. */
  public static RuntimeConfig starter() {
    return StarterSettings.read("", RuntimeConfig.class);
  }

  /** Returns these settings with lines of TOML over them; each line has the full key. */
  public RuntimeConfig with(String... lines) {
    return StarterSettings.override("", this, lines);
  }

  @Override
  public void check(Settings settings) {
    int windowTokens = pcp.windowLimits().maxTokens();
    settings.requireCompatible(
        windowTokens <= context.tokenBudget(),
        "pcp.window-limits.max-tokens",
        "context.token-budget",
        "expected a limit within the budget, found %d and %d"
            .formatted(windowTokens, context.tokenBudget()));
  }
}
