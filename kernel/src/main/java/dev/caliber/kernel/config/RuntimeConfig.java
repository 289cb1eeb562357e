package dev.caliber.kernel.config;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * How this runtime behaves whatever a space has deployed: the {@code [context]}, {@code [pcp]},
 * {@code [memory]} and {@code [coordination]} parts of {@code caliber.toml}. What a space has
 * deployed is a {@link CompiledConfig}.
 */
public record RuntimeConfig(
    ContextConfig context, PcpConfig pcp, MemoryRules memory, CoordinationConfig coordination) {

  private static final String STARTER = "starter.toml";
  private static final String BUDGET = "context.token-budget";
  private static final String DOSAGE = "pcp.dosage.max-context-tokens";
  private static final String INSTRUCTIONS = "context.system-instructions";

  public RuntimeConfig {
    if (pcp.dosage().maxContextTokens() > context.tokenBudget()) {
      throw KernelException.invalidValue(DOSAGE, "at most " + BUDGET);
    }
  }

  /** What the jar's own file says. */
  public static RuntimeConfig starter() {
    Settings settings = Settings.parse("the starter file", starterText());
    RuntimeConfig config = from(settings);
    settings.verify();
    return config;
  }

  /** The jar's own file, with a sentence for every key. */
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
    requireRoomForInstructions(settings, context);
    return new RuntimeConfig(
        context,
        pcp.withDosage(fitting(settings, context, pcp.dosage())),
        MemoryRules.from(settings),
        CoordinationConfig.from(settings));
  }

  private static void requireRoomForInstructions(Settings settings, ContextConfig context) {
    int tokens = new TokenEstimate(context.bytesPerToken()).estimate(context.systemInstructions());
    settings.requireCompatible(
        tokens <= context.tokenBudget(),
        INSTRUCTIONS,
        BUDGET,
        "the instructions take about %d tokens, which is more than the budget of %d"
            .formatted(tokens, context.tokenBudget()));
  }

  /** The dosage, or after a report one that fits, so that reading goes on. */
  private static PcpConfig.Dosage fitting(
      Settings settings, ContextConfig context, PcpConfig.Dosage dosage) {
    boolean fits = dosage.maxContextTokens() <= context.tokenBudget();
    settings.requireCompatible(
        fits,
        DOSAGE,
        BUDGET,
        "wanted a dosage within the budget, found %d and %d"
            .formatted(dosage.maxContextTokens(), context.tokenBudget()));
    return fits ? dosage : dosage.within(context.tokenBudget());
  }
}
