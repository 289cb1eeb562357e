package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Something a trajectory made. Its content never changes: a better one supersedes it, and the same
 * content is held once among the live ones of a trajectory.
 *
 * @param expiresAt when it stops being live; clean-up removes it some time after
 * @param supersededAt since when another one has its place; of one that is restored, since when it
 *     was out
 * @param restoredAt since when it has its place again, because the other, or the end of its scope,
 *     was rolled back
 */
public record Artifact(
    Id id,
    Id trajectory,
    Id scope,
    ArtifactType type,
    int schemaVersion,
    Bytes content,
    String contentHash,
    Provenance provenance,
    Ttl ttl,
    Optional<Instant> expiresAt,
    Optional<Id> supersededBy,
    Labels labels,
    Instant createdAt,
    Instant updatedAt,
    Optional<Instant> rolledBackAt,
    Optional<Instant> supersededAt,
    Optional<Instant> restoredAt) {

  public static final Table<Artifact> TABLE =
      Table.of("artifact", "Typed output, by content.", Artifact.class, Artifact::id)
          .text("trajectory", artifact -> artifact.trajectory.toString())
          .text("scope", artifact -> artifact.scope.toString())
          .text("type", artifact -> artifact.type.name())
          .text("content_hash", Artifact::contentHash)
          .text("live_hash", Artifact::liveHash)
          .text("standing_in", Artifact::standingIn)
          .flag("bound", Artifact::isBound)
          .text("superseded_by", artifact -> Columns.text(artifact.supersededBy))
          .text("subject", artifact -> Columns.text(artifact.labels.subject()))
          .text("external_id", artifact -> Columns.text(artifact.labels.externalId()))
          .instant("created_at", Artifact::createdAt)
          .instant("expires_at", artifact -> Columns.instant(artifact.expiresAt))
          .real("confidence", artifact -> artifact.provenance.confidence().orElse(null))
          .integer("size", artifact -> artifact.content.size())
          .bytes("content", artifact -> artifact.content.toArray())
          .unique("trajectory", "live_hash")
          .index("trajectory", "type", "created_at")
          .index("trajectory", "created_at")
          .index("standing_in", "bound", "created_at")
          .index("scope")
          .index("content_hash")
          .index("superseded_by")
          .index("subject", "created_at")
          .index("external_id", "created_at")
          .index("expires_at")
          .view(
              "debug_recent_artifacts",
              """
              SELECT space, "key" AS id, trajectory, "type", created_at, "size"
              FROM artifact ORDER BY created_at DESC LIMIT 100""");

  public Artifact {
    if (content.size() == 0) {
      throw MemoryException.empty("artifact");
    }
  }

  /** Whether it counts at this time: neither superseded, nor expired, nor rolled back. */
  public boolean isLive(Instant at) {
    return isStanding() && expiresAt.filter(end -> !end.isAfter(at)).isEmpty();
  }

  /** Whether it counted at this time, whatever became of it since. */
  public boolean wasLive(Instant at) {
    return (supersededBy.isEmpty() || supersededAt.isPresent())
        && !createdAt.isAfter(at)
        && isAhead(rolledBackAt, at)
        && isAhead(expiresAt, at)
        && (isAhead(supersededAt, at) || restoredAt.filter(back -> !back.isAfter(at)).isPresent());
  }

  private static boolean isAhead(Optional<Instant> end, Instant at) {
    return end.filter(time -> !time.isAfter(at)).isEmpty();
  }

  /** Whether nothing but time can end it. */
  public boolean isStanding() {
    return liveHash() != null;
  }

  /** Whether it ends with its scope or trajectory. */
  public boolean isBound() {
    return ttl instanceof Ttl.Session || isBoundToScope();
  }

  public boolean isBoundToScope() {
    return ttl instanceof Ttl.Scope;
  }

  /** Whoever makes it again may want it to live longer, or know more about it. */
  public Artifact seenAgain(Provenance again, Ttl wanted, Labels more, Instant now) {
    Ttl longer = ttl.orLonger(wanted);
    Optional<Instant> end =
        longer.end(createdAt).isEmpty() ? Optional.empty() : later(expiresAt, wanted.end(now));
    return with(provenance.seenAgain(again), expiresAt, supersededBy, now, rolledBackAt)
        .living(longer, end, labels.and(more));
  }

  public boolean livesLike(Artifact other) {
    return ttl.equals(other.ttl) && expiresAt.equals(other.expiresAt);
  }

  private static Optional<Instant> later(Optional<Instant> one, Optional<Instant> other) {
    return Stream.of(one, other).flatMap(Optional::stream).max(Comparator.naturalOrder());
  }

  private Artifact living(Ttl other, Optional<Instant> end, Labels newLabels) {
    return new Artifact(
        id,
        trajectory,
        scope,
        type,
        schemaVersion,
        content,
        contentHash,
        provenance,
        other,
        end,
        supersededBy,
        newLabels,
        createdAt,
        updatedAt,
        rolledBackAt,
        supersededAt,
        restoredAt);
  }

  /** This artifact with other labels: of another subject, or of none. */
  Artifact relabelled(Labels other) {
    return living(ttl, expiresAt, other);
  }

  Artifact superseded(Id successor, Instant now) {
    return with(provenance, expiresAt, Optional.of(successor), now, rolledBackAt)
        .replaced(Optional.of(now), Optional.empty());
  }

  Artifact expired(Instant at) {
    Instant later = at.isAfter(updatedAt) ? at : updatedAt;
    return with(provenance, Optional.of(at), supersededBy, later, rolledBackAt);
  }

  Artifact rolledBack(Instant now) {
    return with(provenance, expiresAt, supersededBy, now, Optional.of(now));
  }

  /** As if nothing had its place and its scope had not ended; an end of its own stays. */
  Artifact restored(Instant now) {
    Optional<Instant> out = supersededBy.isPresent() ? supersededAt : expiresAt;
    Optional<Instant> end = ttl.end(createdAt).flatMap(_ -> expiresAt);
    return with(provenance, end, Optional.empty(), now, rolledBackAt)
        .replaced(out, Optional.of(now));
  }

  private Artifact replaced(Optional<Instant> since, Optional<Instant> until) {
    return new Artifact(
        id,
        trajectory,
        scope,
        type,
        schemaVersion,
        content,
        contentHash,
        provenance,
        ttl,
        expiresAt,
        supersededBy,
        labels,
        createdAt,
        updatedAt,
        rolledBackAt,
        since,
        until);
  }

  /** Without records that were forgotten among its sources. */
  Artifact without(List<Id> gone, Instant now) {
    return with(provenance.without(gone), expiresAt, supersededBy, now, rolledBackAt);
  }

  /** Its trajectory, unless it is out or has ended with what it was bound to. */
  private @Nullable String standingIn() {
    return isStanding() && !(isBound() && expiresAt.isPresent()) ? trajectory.toString() : null;
  }

  private @Nullable String liveHash() {
    return supersededBy.isEmpty() && rolledBackAt.isEmpty() ? contentHash : null;
  }

  private Artifact with(
      Provenance newProvenance,
      Optional<Instant> newEnd,
      Optional<Id> successor,
      Instant now,
      Optional<Instant> rolledBack) {
    return new Artifact(
        id,
        trajectory,
        scope,
        type,
        schemaVersion,
        content,
        contentHash,
        newProvenance,
        ttl,
        newEnd,
        successor,
        labels,
        createdAt,
        now,
        rolledBack,
        supersededAt,
        restoredAt);
  }
}
