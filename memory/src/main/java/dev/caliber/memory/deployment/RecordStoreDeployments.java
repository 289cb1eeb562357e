package dev.caliber.memory.deployment;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.deployment.Activation.ActivationAction;
import dev.caliber.memory.deployment.DeployedConfigStatus.ConfigTransition;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Deployments as records of the store. */
final class RecordStoreDeployments implements Deployments {
  private final RecordStore store;

  RecordStoreDeployments(RecordStore store) {
    this.store = store;
  }

  @Override
  public DeployResult deploy(SpaceId space, ConfigDeployment request) {
    return store.write(space, transaction -> deploy(transaction, request));
  }

  @Override
  public DeployResult deploy(Transaction transaction, ConfigDeployment request) {
    String hash = request.hash();
    return findByHash(transaction, request.name(), hash)
        .map(same -> new DeployResult(same, false))
        .orElseGet(() -> new DeployResult(insert(transaction, request, hash), true));
  }

  @Override
  public ActivateResult activate(SpaceId space, ConfigActivation request) {
    return store.write(space, transaction -> activate(transaction, request));
  }

  @Override
  public ActivateResult activate(Transaction transaction, ConfigActivation request) {
    StoredConfig target = requireVersion(transaction, request.name(), request.version());
    return switchTo(transaction, target, ActivationAction.ACTIVATE, request.stamp());
  }

  @Override
  public ActivateResult rollback(SpaceId space, ConfigRollback request) {
    return store.write(space, transaction -> rollback(transaction, request));
  }

  @Override
  public ActivateResult rollback(Transaction transaction, ConfigRollback request) {
    StoredConfig now = activeVersion(transaction).orElseThrow(DeploymentException::nothingActive);
    StoredConfig target =
        request
            .version()
            .map(version -> requireVersion(transaction, now.name(), version))
            .orElseGet(() -> previousVersion(transaction, now));
    if (target.id().equals(now.id())) {
      throw DeploymentException.alreadyActive(now);
    }
    return switchTo(transaction, target, ActivationAction.ROLLBACK, request.stamp());
  }

  @Override
  public Page<StoredConfig> list(SpaceId space, ConfigListQuery configListQuery) {
    Query<StoredConfig> all = Query.over(StoredConfig.TABLE, "name", "version");
    Query<StoredConfig> named = configListQuery.name().map(all::equal).orElse(all).descending();
    Query<StoredConfig> query = configListQuery.after().map(named::resume).orElse(named);
    return store.read(space, snapshot -> snapshot.scan(query, configListQuery.limit()));
  }

  @Override
  public Optional<StoredConfig> find(SpaceId space, String name, int version) {
    return store.read(space, snapshot -> find(snapshot, name, version));
  }

  @Override
  public Optional<StoredConfig> find(Snapshot snapshot, String name, int version) {
    return first(snapshot, Query.over(StoredConfig.TABLE, "name", "version").equal(name, version));
  }

  @Override
  public Optional<StoredConfig> activeVersion(SpaceId space) {
    return store.read(space, this::activeVersion);
  }

  @Override
  public Optional<StoredConfig> activeVersion(Snapshot snapshot) {
    return first(
        snapshot,
        Query.over(StoredConfig.TABLE, "status").equal(DeployedConfigStatus.ACTIVE.name()));
  }

  @Override
  public Optional<StoredConfig> activeVersion(Snapshot snapshot, Instant time) {
    return snapshot
        .first(Query.over(Activation.TABLE).descending().where(entry -> !entry.at().isAfter(time)))
        .flatMap(entry -> snapshot.find(StoredConfig.TABLE, entry.configId()));
  }

  @Override
  public Optional<PackContent> pack(SpaceId space, StoredConfig config) {
    return store.read(
        space,
        snapshot ->
            snapshot
                .find(StoredPack.TABLE, config.id())
                .map(pack -> PackPartStorage.read(snapshot, pack)));
  }

  @Override
  public List<Activation> history(SpaceId space, int limit) {
    Query<Activation> newest = Query.over(Activation.TABLE).descending();
    return store.read(space, snapshot -> snapshot.scan(newest, limit)).records();
  }

  private static StoredConfig insert(
      Transaction transaction, ConfigDeployment request, String hash) {
    int version =
        latestVersion(transaction, request.name()).map(StoredConfig::version).orElse(0) + 1;
    var config =
        StoredConfig.newVersion(transaction.newId(), version, request, hash, transaction.now());
    transaction.insert(StoredConfig.TABLE, config);
    request.pack().ifPresent(pack -> PackPartStorage.write(transaction, config.id(), pack));
    return config;
  }

  private ActivateResult switchTo(
      Transaction transaction,
      StoredConfig target,
      ActivationAction activationAction,
      AuditStamp auditStamp) {
    Optional<StoredConfig> before = activeVersion(transaction);
    if (before.map(StoredConfig::id).equals(Optional.of(target.id()))) {
      return new ActivateResult(target, Optional.empty(), false);
    }
    before.ifPresent(
        old -> transaction.put(StoredConfig.TABLE, old.withStatusAfter(ConfigTransition.REPLACE)));
    StoredConfig active = target.withStatusAfter(ConfigTransition.ACTIVATE);
    transaction.put(StoredConfig.TABLE, active);
    appendToLog(transaction, active, activationAction, before.map(StoredConfig::id), auditStamp);
    return new ActivateResult(active, before, true);
  }

  private static void appendToLog(
      Transaction transaction,
      StoredConfig active,
      ActivationAction activationAction,
      Optional<Id> replaced,
      AuditStamp auditStamp) {
    transaction.insert(
        Activation.TABLE,
        new Activation(
            transaction.newId(),
            activationAction,
            active.id(),
            active.name(),
            active.version(),
            replaced,
            transaction.now(),
            auditStamp));
  }

  private StoredConfig requireVersion(Snapshot snapshot, String name, int version) {
    return find(snapshot, name, version)
        .orElseThrow(
            () ->
                DeploymentException.unknownVersion(
                    name,
                    version,
                    latestVersion(snapshot, name).map(StoredConfig::version).orElse(0)));
  }

  /** Returns the newest version below this one that was ever active. */
  private static StoredConfig previousVersion(Snapshot snapshot, StoredConfig now) {
    return first(
            snapshot,
            Query.over(StoredConfig.TABLE, "name", "status", "version")
                .equal(now.name(), DeployedConfigStatus.RETIRED.name())
                .until(now.version())
                .descending())
        .orElseThrow(() -> DeploymentException.noEarlierVersion(now));
  }

  private static Optional<StoredConfig> latestVersion(Snapshot snapshot, String name) {
    return first(
        snapshot, Query.over(StoredConfig.TABLE, "name", "version").equal(name).descending());
  }

  private static Optional<StoredConfig> findByHash(Snapshot snapshot, String name, String hash) {
    return first(snapshot, Query.over(StoredConfig.TABLE, "name", "hash").equal(name, hash));
  }

  private static Optional<StoredConfig> first(Snapshot snapshot, Query<StoredConfig> query) {
    return snapshot.scan(query, 1).records().stream().findFirst();
  }
}
