package dev.caliber.server.access;

import dev.caliber.server.operation.ServerException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A rate limiter with one token bucket per principal, which holds the burst and fills at the rate.
 * There are no more buckets than keys.
 */
public final class RateLimiter {
  private static final double NANOS = 1e9;

  private final InstantSource clock;
  private final int burst;
  private final double rate;
  private final ConcurrentHashMap<String, TokenBucket> buckets = new ConcurrentHashMap<>();

  public RateLimiter(InstantSource clock, int burst, double rate) {
    this.clock = clock;
    this.burst = burst;
    this.rate = rate;
  }

  private record TokenBucket(double tokens, Instant updatedAt, boolean allowed) {}

  /** Takes one request, or refuses with the time to wait. */
  public void acquire(Principal principal) {
    Duration wait = acquireOrWaitTime(principal);
    if (wait.isPositive()) {
      throw ServerException.tooManyRequests(wait);
    }
  }

  /** Takes one request and returns zero, or returns the time to wait. */
  public Duration acquireOrWaitTime(Principal principal) {
    Instant now = clock.instant();
    TokenBucket after =
        buckets.compute(
            principal.id(),
            (_, before) -> takeToken(before == null ? burst : refilledTokens(before, now), now));
    return after.allowed() ? Duration.ZERO : waitTime(after);
  }

  /** Takes the requests even if the bucket becomes negative; the principal then waits longer. */
  void chargeRequests(String id, int requests) {
    Instant now = clock.instant();
    buckets.compute(
        id,
        (_, before) ->
            new TokenBucket(
                (before == null ? burst : refilledTokens(before, now)) - requests, now, true));
  }

  /** Takes tokens; a refused request takes none. */
  private static TokenBucket takeToken(double tokens, Instant now) {
    return tokens < 1
        ? new TokenBucket(tokens, now, false)
        : new TokenBucket(tokens - 1, now, true);
  }

  private double refilledTokens(TokenBucket tokenBucket, Instant now) {
    double seconds = Math.max(0, Duration.between(tokenBucket.updatedAt(), now).toNanos() / NANOS);
    return Math.min(burst, tokenBucket.tokens() + seconds * rate);
  }

  private Duration waitTime(TokenBucket tokenBucket) {
    return Duration.ofNanos((long) ((1 - tokenBucket.tokens()) / rate * NANOS));
  }
}
