package dev.caliber.kernel.config;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Settings of this runtime, independent of what a space has deployed: the {@code [context]}, {@code
 * [pcp]}, {@code [memory]} and {@code [coordination]} parts of {@code caliber.toml}. The deployed
 * configuration of a space is a {@link CompiledConfig}.
 */
public record RuntimeConfig(
    ContextConfig context, PcpConfig pcp, MemoryRules memory, CoordinationConfig coordination) {

  private static final String STARTER = "starter.toml";
  private static final String BUDGET = "context.token-budget";
  private static final String WINDOW_TOKENS = "pcp.window-limits.max-tokens";
  private static final String INSTRUCTIONS = "context.system-instructions";

  public RuntimeConfig {
    if (pcp.windowLimits().maxTokens() > context.tokenBudget()) {
      throw KernelException.invalidValue(WINDOW_TOKENS, "at most " + BUDGET);
    }
  }

  /** Returns the settings of the starter file in the jar. */
  public static RuntimeConfig starter() {
    Settings settings = Settings.parse("the starter file", starterText());
    RuntimeConfig config = from(settings);
    settings.verify();
    return config;
  }

  /** Returns the starter file of the jar, with a sentence for every key. */
  public static String starterText() {
    try (InputStream in =
        Objects.requireNonNull(RuntimeConfig.class.getResourceAsStream(STARTER), STARTER)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the parts; the caller verifies the settings once all parts of the file are read. */
  public static RuntimeConfig from(Settings settings) {
    ContextConfig context = ContextConfig.from(settings);
    PcpConfig pcp = PcpConfig.from(settings);
    requireInstructionsFit(settings, context);
    return new RuntimeConfig(
        context,
        pcp.withWindowLimits(fittingWindowLimits(settings, context, pcp.windowLimits())),
        MemoryRules.from(settings),
        CoordinationConfig.from(settings));
  }

  private static void requireInstructionsFit(Settings settings, ContextConfig context) {
    int tokens = new TokenEstimator(context.bytesPerToken()).estimate(context.systemInstructions());
    settings.requireCompatible(
        tokens <= context.tokenBudget(),
        INSTRUCTIONS,
        BUDGET,
        "context.system-instructions takes about %d tokens, which is more than context.token-budget (%d)"
            .formatted(tokens, context.tokenBudget()));
  }

  /**
   * Returns the limits, or after a report limits that fit the budget, so that reading continues.
   */
  private static PcpConfig.WindowLimits fittingWindowLimits(
      Settings settings, ContextConfig context, PcpConfig.WindowLimits windowLimits) {
    boolean fits = windowLimits.maxTokens() <= context.tokenBudget();
    settings.requireCompatible(
        fits,
        WINDOW_TOKENS,
        BUDGET,
        "pcp.window-limits.max-tokens (%d) has to be at most context.token-budget (%d)"
            .formatted(windowLimits.maxTokens(), context.tokenBudget()));
    return fits ? windowLimits : windowLimits.withMaxTokens(context.tokenBudget());
  }
}
