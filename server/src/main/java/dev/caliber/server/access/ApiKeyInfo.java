package dev.caliber.server.access;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.AccessRight;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The public data of a key.
 *
 * @param spaces the spaces where it may be used; empty: everywhere
 * @param agent the agent as which its user always acts
 * @param subject the one subject whose records its user sees, beside those without a subject
 */
public record ApiKeyInfo(
    Id id,
    String name,
    AccessRight right,
    List<SpaceId> spaces,
    Instant createdAt,
    Optional<Instant> expiresAt,
    Optional<Instant> revokedAt,
    Optional<String> agent,
    Optional<String> subject) {
  public ApiKeyInfo {
    spaces = List.copyOf(spaces);
  }

  static ApiKeyInfo of(StoredApiKey key) {
    return new ApiKeyInfo(
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
