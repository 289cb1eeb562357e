package dev.caliber.server.access;

import dev.caliber.server.settings.ServerConfig;

/** The limits of concurrent requests and streams, across all protocols. */
public record CapacityLimiters(RequestLimiter requestLimiter, StreamLimiter streamLimiter) {
  /** Creates the limiters of these settings. */
  public static CapacityLimiters of(ServerConfig config) {
    return new CapacityLimiters(new RequestLimiter(config.limits()), new StreamLimiter(config));
  }
}
