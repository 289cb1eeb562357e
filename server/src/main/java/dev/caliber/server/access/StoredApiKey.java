package dev.caliber.server.access;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.AccessRight;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A stored key, without its secret.
 *
 * @param spaces the allowed spaces; empty: all
 * @param hash the hash of the secret, which has 256 random bits, so that a plain hash is enough
 * @param login the key from which this login was made
 * @param agent the agent as which its user always acts
 * @param subject the one subject whose records its user sees, beside those without a subject
 */
record StoredApiKey(
    Id id,
    String name,
    AccessRight right,
    List<SpaceId> spaces,
    String hash,
    Instant createdAt,
    Optional<Instant> expiresAt,
    Optional<Instant> revokedAt,
    Optional<Id> login,
    Optional<String> agent,
    Optional<String> subject) {

  static final Table<StoredApiKey> TABLE =
      Table.of("api_key", "API keys of the server, hashed.", StoredApiKey.class, StoredApiKey::id)
          .text("name", StoredApiKey::name)
          .text("right", key -> key.right.name())
          .instant("created_at", StoredApiKey::createdAt)
          .instant("expires_at", key -> key.expiresAt.orElse(null))
          .instant("revoked_at", key -> key.revokedAt.orElse(null))
          .text("login", key -> key.login.map(Id::toString).orElse(null))
          .index("expires_at")
          .index("login", "created_at");

  StoredApiKey {
    spaces = List.copyOf(spaces);
  }

  boolean isLive(Instant now) {
    return revokedAt.isEmpty() && expiresAt.filter(end -> !now.isBefore(end)).isEmpty();
  }

  StoredApiKey withRevocation(Instant now) {
    return new StoredApiKey(
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
