package dev.caliber.server.access;

import dev.caliber.server.operation.ServerException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How fast each principal may ask: a bucket that holds the burst and fills at the rate. There are
 * no more buckets than keys.
 */
public final class Rates {
  private static final double NANOS = 1e9;

  private final InstantSource clock;
  private final int burst;
  private final double rate;
  private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();

  public Rates(InstantSource clock, int burst, double rate) {
    this.clock = clock;
    this.burst = burst;
    this.rate = rate;
  }

  private record Bucket(double tokens, Instant at, boolean passed) {}

  /** Takes one request, or refuses it and says how long to wait. */
  public void take(Principal principal) {
    Duration wait = ask(principal);
    if (wait.isPositive()) {
      throw ServerException.tooManyRequests(wait);
    }
  }

  /** Takes one request and returns nothing; or how long to wait for it. */
  public Duration ask(Principal principal) {
    Instant now = clock.instant();
    Bucket after =
        buckets.compute(
            principal.id(),
            (_, before) -> taken(before == null ? burst : refilled(before, now), now));
    return after.passed() ? Duration.ZERO : wait(after);
  }

  /** Takes as many, also those that are not there yet: whoever did it waits the longer. */
  void spend(String id, int requests) {
    Instant now = clock.instant();
    buckets.compute(
        id,
        (_, before) ->
            new Bucket((before == null ? burst : refilled(before, now)) - requests, now, true));
  }

  /** A request that is refused costs nothing. */
  private static Bucket taken(double tokens, Instant now) {
    return tokens < 1 ? new Bucket(tokens, now, false) : new Bucket(tokens - 1, now, true);
  }

  private double refilled(Bucket bucket, Instant now) {
    double seconds = Math.max(0, Duration.between(bucket.at(), now).toNanos() / NANOS);
    return Math.min(burst, bucket.tokens() + seconds * rate);
  }

  private Duration wait(Bucket bucket) {
    return Duration.ofNanos((long) ((1 - bucket.tokens()) / rate * NANOS));
  }
}
