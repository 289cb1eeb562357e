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
 * Configurations of spaces. A version holds its source, its tree and its compiled form, stored in
 * one commit and never changed; a space has at most one active version of all names.
 *
 * <p>Each operation can be part of a transaction; the form with a space is a transaction of its
 * own.
 */
public interface Deployments {

  /** Returns the tables that a store must be opened with. */
  static List<Table<?>> tables() {
    return List.of(StoredConfig.TABLE, StoredPack.TABLE, PackPart.TABLE, Activation.TABLE);
  }

  static Deployments of(RecordStore store) {
    return new RecordStoreDeployments(store);
  }

  /**
   * Result of a deployment: the new version, or the existing one with the same content.
   *
   * @param config the version
   * @param isNew whether it was stored just now
   */
  record DeployResult(StoredConfig config, boolean isNew) {}

  /**
   * Result of an activation.
   *
   * @param config the active version
   * @param replaced the version that was active before, if it was another one
   * @param changed false if the version was already active; then nothing was written
   */
  record ActivateResult(StoredConfig config, Optional<StoredConfig> replaced, boolean changed) {}

  /** Request to activate a version. */
  record ConfigActivation(String name, int version, AuditStamp stamp) {}

  /**
   * Request to return to an earlier version of the active configuration.
   *
   * @param version empty for the one before
   */
  record ConfigRollback(Optional<Integer> version, AuditStamp stamp) {}

  /**
   * Query for versions.
   *
   * @param name empty for all names
   */
  record ConfigListQuery(Optional<String> name, int limit, Optional<PageCursor> after) {}

  DeployResult deploy(Transaction transaction, ConfigDeployment request);

  DeployResult deploy(SpaceId space, ConfigDeployment request);

  ActivateResult activate(Transaction transaction, ConfigActivation request);

  ActivateResult activate(SpaceId space, ConfigActivation request);

  /**
   * Rolls back. Without a version, activates the newest version before the active one that was ever
   * active, so that two rollbacks go back two versions.
   */
  ActivateResult rollback(Transaction transaction, ConfigRollback request);

  ActivateResult rollback(SpaceId space, ConfigRollback request);

  /** Lists versions by name, the newest version first. */
  Page<StoredConfig> list(SpaceId space, ConfigListQuery configListQuery);

  Optional<StoredConfig> find(Snapshot snapshot, String name, int version);

  Optional<StoredConfig> find(SpaceId space, String name, int version);

  /** Returns the active version. */
  Optional<StoredConfig> activeVersion(Snapshot snapshot);

  Optional<StoredConfig> activeVersion(SpaceId space);

  /** Returns the version that was active at this time, according to the log. */
  Optional<StoredConfig> activeVersion(Snapshot snapshot, Instant time);

  /** Returns the pack of a version, byte for byte; empty for text of the language. */
  Optional<PackContent> pack(SpaceId space, StoredConfig config);

  /** Returns the log of activations, newest first. */
  List<Activation> history(SpaceId space, int limit);
}
