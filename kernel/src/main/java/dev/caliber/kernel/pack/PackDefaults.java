package dev.caliber.kernel.pack;

/** What holds for every agent that does not say otherwise. */
public record PackDefaults(
    String contextFormat,
    int tokenBudget,
    boolean strictMarkdown,
    boolean strictRefs,
    SecretsMode secretsMode) {

  /** Where secrets may come from. */
  public enum SecretsMode {
    ENV_ONLY
  }
}
