package dev.caliber.server.access;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.Right;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A key as it is stored: without its secret.
 *
 * @param spaces where it may be used; empty: everywhere
 * @param hash of the secret, which has 256 random bits, so that a plain hash keeps it
 * @param login the key that somebody logged in with to get this one
 * @param agent as whom its user always acts
 * @param subject the one subject whose records its user sees, beside those without a subject
 */
record ApiKey(
    Id id,
    String name,
    Right right,
    List<SpaceId> spaces,
    String hash,
    Instant createdAt,
    Optional<Instant> expiresAt,
    Optional<Instant> revokedAt,
    Optional<Id> login,
    Optional<String> agent,
    Optional<String> subject) {

  static final Table<ApiKey> TABLE =
      Table.of("api_key", "Keys of the server, hashed.", ApiKey.class, ApiKey::id)
          .text("name", ApiKey::name)
          .text("right", key -> key.right.name())
          .instant("created_at", ApiKey::createdAt)
          .instant("expires_at", key -> key.expiresAt.orElse(null))
          .instant("revoked_at", key -> key.revokedAt.orElse(null))
          .text("login", key -> key.login.map(Id::toString).orElse(null))
          .index("expires_at")
          .index("login", "created_at");

  ApiKey {
    spaces = List.copyOf(spaces);
  }

  boolean isLive(Instant now) {
    return revokedAt.isEmpty() && expiresAt.filter(end -> !now.isBefore(end)).isEmpty();
  }

  ApiKey revoked(Instant now) {
    return new ApiKey(
        id,
        name,
        right,
        spaces,
        hash,
        createdAt,
        expiresAt,
        revokedAt.or(() -> Optional.of(now)),
        login,
        agent,
        subject);
  }
}
