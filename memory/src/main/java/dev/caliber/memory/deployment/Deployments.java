package dev.caliber.memory.deployment;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The configurations of spaces. A version holds its source, its tree and its compiled form, stored
 * in one commit and never changed; a space runs on at most one version, of whatever name.
 *
 * <p>Each operation exists as part of a transaction; the form with a space is a transaction of its
 * own.
 */
public interface Deployments {

  /** What a store has to be opened with. */
  static List<Table<?>> tables() {
    return List.of(StoredConfig.TABLE, StoredPack.TABLE, PackPart.TABLE, Activation.TABLE);
  }

  static Deployments of(RecordStore store) {
    return new RecordedDeployments(store);
  }

  /**
   * Stores a version, or finds the version of that name that has the same content already.
   *
   * @param config the version
   * @param isNew whether it was stored just now
   */
  record Deployed(StoredConfig config, boolean isNew) {}

  /**
   * What a space runs on now.
   *
   * @param replaced what it ran on before, if that was something else
   * @param changed false if it ran on this version already; then nothing was written
   */
  record Activated(StoredConfig config, Optional<StoredConfig> replaced, boolean changed) {}

  /** The wish to run on a version. */
  record Activate(String name, int version, Stamp stamp) {}

  /**
   * The wish to go back to a version of the configuration that is active now.
   *
   * @param version empty for the one before
   */
  record Rollback(Optional<Integer> version, Stamp stamp) {}

  /**
   * Which versions to list.
   *
   * @param name empty for all names
   */
  record Listing(Optional<String> name, int limit, Optional<PageCursor> after) {}

  Deployed deploy(Transaction transaction, DeployConfig wish);

  Deployed deploy(SpaceId space, DeployConfig wish);

  Activated activate(Transaction transaction, Activate wish);

  Activated activate(SpaceId space, Activate wish);

  /**
   * Goes back. Without a version: to the newest one before the active one that the space has run
   * on, so that going back twice goes back two versions.
   */
  Activated rollback(Transaction transaction, Rollback wish);

  Activated rollback(SpaceId space, Rollback wish);

  /** By name, the newest version first. */
  Page<StoredConfig> list(SpaceId space, Listing listing);

  Optional<StoredConfig> find(Snapshot snapshot, String name, int version);

  Optional<StoredConfig> find(SpaceId space, String name, int version);

  /** What the space runs on. */
  Optional<StoredConfig> active(Snapshot snapshot);

  Optional<StoredConfig> active(SpaceId space);

  /** What the space ran on at this time, by its log. */
  Optional<StoredConfig> active(Snapshot snapshot, Instant time);

  /** The pack that a version was composed from, byte for byte; empty for text of the language. */
  Optional<PackContent> pack(SpaceId space, StoredConfig config);

  /** The log of activations, the newest first. */
  List<Activation> history(SpaceId space, int limit);
}
