package dev.caliber.kernel.pack;

import java.util.List;
import java.util.Optional;

/**
 * Which provider is asked.
 *
 * @param providers the ones to choose from, in the order of preference
 */
public record PackRouting(
    Strategy strategy,
    List<String> providers,
    Optional<String> embeddingProvider,
    Optional<String> summarizationProvider) {
  public PackRouting {
    providers = List.copyOf(providers);
  }

  /** How one is chosen. */
  public enum Strategy {
    FIRST,
    ROUND_ROBIN,
    RANDOM,
    LEAST_LATENCY
  }
}
