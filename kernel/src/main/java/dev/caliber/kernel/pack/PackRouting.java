package dev.caliber.kernel.pack;

import java.util.List;
import java.util.Optional;

/**
 * Selection of the provider for a request.
 *
 * @param providers the candidates, in the order of preference
 */
public record PackRouting(
    RoutingStrategy strategy,
    List<String> providers,
    Optional<String> embeddingProvider,
    Optional<String> summarizationProvider) {
  public PackRouting {
    providers = List.copyOf(providers);
  }

  /** Strategy of the selection. */
  public enum RoutingStrategy {
    FIRST,
    ROUND_ROBIN,
    RANDOM,
    LEAST_LATENCY
  }
}
