package dev.caliber.kernel.pack;

/** Defaults for every agent that does not override them. */
public record PackDefaults(
    String contextFormat,
    int tokenBudget,
    boolean strictMarkdown,
    boolean strictRefs,
    SecretsMode secretsMode) {

  /** Allowed sources of secrets. */
  public enum SecretsMode {
    ENV_ONLY
  }
}
