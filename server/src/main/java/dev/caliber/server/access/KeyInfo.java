package dev.caliber.server.access;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.Right;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What may be known of a key.
 *
 * @param spaces where it may be used; empty: everywhere
 * @param agent as whom its user always acts
 * @param subject the one subject whose records its user sees, beside those without a subject
 */
public record KeyInfo(
    Id id,
    String name,
    Right right,
    List<SpaceId> spaces,
    Instant createdAt,
    Optional<Instant> expiresAt,
    Optional<Instant> revokedAt,
    Optional<String> agent,
    Optional<String> subject) {
  public KeyInfo {
    spaces = List.copyOf(spaces);
  }

  static KeyInfo of(ApiKey key) {
    return new KeyInfo(
        key.id(),
        key.name(),
        key.right(),
        key.spaces(),
        key.createdAt(),
        key.expiresAt(),
        key.revokedAt(),
        key.agent(),
        key.subject());
  }
}
