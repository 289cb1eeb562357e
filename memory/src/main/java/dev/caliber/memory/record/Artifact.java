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
 * Output of a trajectory. Its content never changes: a better one supersedes it, and equal content
 * exists once among the live artifacts of a trajectory.
 *
 * @param expiresAt when it stops being live; clean-up removes it some time after
 * @param supersededAt when another artifact superseded it; of a restored one, when it stopped being
 *     live
 * @param restoredAt when it became live again, because its successor or the end of its scope was
 *     rolled back
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
          .text("standing_in", Artifact::currentInTrajectory)
          .flag("bound", Artifact::isBound)
          .text("superseded_by", artifact -> NullableColumns.textOrNull(artifact.supersededBy))
          .text("subject", artifact -> NullableColumns.textOrNull(artifact.labels.subject()))
          .text("external_id", artifact -> NullableColumns.textOrNull(artifact.labels.externalId()))
          .instant("created_at", Artifact::createdAt)
          .instant("expires_at", artifact -> NullableColumns.instantOrNull(artifact.expiresAt))
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

  /** Returns whether it is live at this time: neither superseded, nor expired, nor rolled back. */
  public boolean isLive(Instant at) {
    return isCurrent() && expiresAt.filter(end -> !end.isAfter(at)).isEmpty();
  }

  /** Returns whether it was live at this time, whatever happened since. */
  public boolean wasLive(Instant at) {
    return (supersededBy.isEmpty() || supersededAt.isPresent())
        && !createdAt.isAfter(at)
        && isAfter(rolledBackAt, at)
        && isAfter(expiresAt, at)
        && (isAfter(supersededAt, at) || restoredAt.filter(back -> !back.isAfter(at)).isPresent());
  }

  private static boolean isAfter(Optional<Instant> end, Instant at) {
    return end.filter(time -> !time.isAfter(at)).isEmpty();
  }

  /** Returns whether it is neither superseded nor rolled back, so that only time can end it. */
  public boolean isCurrent() {
    return liveHash() != null;
  }

  /** Returns whether it expires with its scope or trajectory. */
  public boolean isBound() {
    return ttl instanceof Ttl.TrajectoryTtl || isBoundToScope();
  }

  public boolean isBoundToScope() {
    return ttl instanceof Ttl.ScopeTtl;
  }

  /** Merges a repeated creation, which may ask for a later end and add provenance and labels. */
  public Artifact mergedWithDuplicate(Provenance again, Ttl wanted, Labels more, Instant now) {
    Ttl longer = ttl.longerOf(wanted);
    Optional<Instant> end =
        longer.expiresAt(createdAt).isEmpty()
            ? Optional.empty()
            : later(expiresAt, wanted.expiresAt(now));
    return with(provenance.mergedWith(again), end, supersededBy, now, rolledBackAt)
        .withLabels(longer, labels.mergedWith(more));
  }

  public boolean hasSameLifetime(Artifact other) {
    return ttl.equals(other.ttl) && expiresAt.equals(other.expiresAt);
  }

  private static Optional<Instant> later(Optional<Instant> one, Optional<Instant> other) {
    return Stream.of(one, other).flatMap(Optional::stream).max(Comparator.naturalOrder());
  }

  /** Returns this artifact with other labels: of another subject, or of none. */
  public Artifact withLabels(Labels other) {
    return withLabels(ttl, other);
  }

  public Artifact asSuperseded(Id successor, Instant now) {
    return with(provenance, expiresAt, Optional.of(successor), now, rolledBackAt)
        .withReplacement(Optional.of(now), Optional.empty());
  }

  public Artifact asExpired(Instant at) {
    Instant later = at.isAfter(updatedAt) ? at : updatedAt;
    return with(provenance, Optional.of(at), supersededBy, later, rolledBackAt);
  }

  public Artifact asRolledBack(Instant now) {
    return with(provenance, expiresAt, supersededBy, now, Optional.of(now));
  }

  /**
   * Returns this artifact live again, as before it was superseded or its scope closed; an end by
   * its own duration remains.
   */
  public Artifact restored(Instant now) {
    Optional<Instant> out = supersededBy.isPresent() ? supersededAt : expiresAt;
    Optional<Instant> end = ttl.expiresAt(createdAt).flatMap(_ -> expiresAt);
    return with(provenance, end, Optional.empty(), now, rolledBackAt)
        .withReplacement(out, Optional.of(now));
  }

  private Artifact withReplacement(Optional<Instant> since, Optional<Instant> until) {
    return with(ttl, labels, since, until);
  }

  private Artifact withLabels(Ttl other, Labels newLabels) {
    return with(other, newLabels, supersededAt, restoredAt);
  }

  private Artifact with(
      Ttl newTtl, Labels newLabels, Optional<Instant> since, Optional<Instant> until) {
    return new Artifact(
        id,
        trajectory,
        scope,
        type,
        schemaVersion,
        content,
        contentHash,
        provenance,
        newTtl,
        expiresAt,
        supersededBy,
        newLabels,
        createdAt,
        updatedAt,
        rolledBackAt,
        since,
        until);
  }

  /** Returns this artifact without forgotten records among its sources. */
  public Artifact withoutSources(List<Id> gone, Instant now) {
    return with(provenance.withoutSources(gone), expiresAt, supersededBy, now, rolledBackAt);
  }

  /** Column value: the trajectory, unless it is not current or its bound has ended. */
  private @Nullable String currentInTrajectory() {
    return isCurrent() && !(isBound() && expiresAt.isPresent()) ? trajectory.toString() : null;
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
