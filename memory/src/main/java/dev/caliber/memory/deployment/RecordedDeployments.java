package dev.caliber.memory.deployment;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.deployment.Activation.Action;
import dev.caliber.memory.deployment.ConfigStatus.Event;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Deployments as records of the store. */
final class RecordedDeployments implements Deployments {
  private final RecordStore store;

  RecordedDeployments(RecordStore store) {
    this.store = store;
  }

  @Override
  public Deployed deploy(SpaceId space, DeployConfig wish) {
    return store.write(space, transaction -> deploy(transaction, wish));
  }

  @Override
  public Deployed deploy(Transaction transaction, DeployConfig wish) {
    String hash = wish.hash();
    return withHash(transaction, wish.name(), hash)
        .map(same -> new Deployed(same, false))
        .orElseGet(() -> new Deployed(insert(transaction, wish, hash), true));
  }

  @Override
  public Activated activate(SpaceId space, Activate wish) {
    return store.write(space, transaction -> activate(transaction, wish));
  }

  @Override
  public Activated activate(Transaction transaction, Activate wish) {
    StoredConfig target = existing(transaction, wish.name(), wish.version());
    return switchTo(transaction, target, Action.ACTIVATE, wish.stamp());
  }

  @Override
  public Activated rollback(SpaceId space, Rollback wish) {
    return store.write(space, transaction -> rollback(transaction, wish));
  }

  @Override
  public Activated rollback(Transaction transaction, Rollback wish) {
    StoredConfig now = active(transaction).orElseThrow(DeploymentException::nothingActive);
    StoredConfig target =
        wish.version()
            .map(version -> existing(transaction, now.name(), version))
            .orElseGet(() -> before(transaction, now));
    if (target.id().equals(now.id())) {
      throw DeploymentException.alreadyActive(now);
    }
    return switchTo(transaction, target, Action.ROLLBACK, wish.stamp());
  }

  @Override
  public Page<StoredConfig> list(SpaceId space, Listing listing) {
    Query<StoredConfig> all = Query.over(StoredConfig.TABLE, "name", "version");
    Query<StoredConfig> named = listing.name().map(all::equal).orElse(all).descending();
    Query<StoredConfig> query = listing.after().map(named::resume).orElse(named);
    return store.read(space, snapshot -> snapshot.scan(query, listing.limit()));
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
  public Optional<StoredConfig> active(SpaceId space) {
    return store.read(space, this::active);
  }

  @Override
  public Optional<StoredConfig> active(Snapshot snapshot) {
    return first(
        snapshot, Query.over(StoredConfig.TABLE, "status").equal(ConfigStatus.ACTIVE.name()));
  }

  @Override
  public Optional<StoredConfig> active(Snapshot snapshot, Instant time) {
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
                .map(pack -> PackParts.read(snapshot, pack)));
  }

  @Override
  public List<Activation> history(SpaceId space, int limit) {
    Query<Activation> newest = Query.over(Activation.TABLE).descending();
    return store.read(space, snapshot -> snapshot.scan(newest, limit)).records();
  }

  private static StoredConfig insert(Transaction transaction, DeployConfig wish, String hash) {
    int version = latest(transaction, wish.name()).map(StoredConfig::version).orElse(0) + 1;
    var config = StoredConfig.first(transaction.newId(), version, wish, hash, transaction.now());
    transaction.insert(StoredConfig.TABLE, config);
    wish.pack().ifPresent(pack -> PackParts.write(transaction, config.id(), pack));
    return config;
  }

  private Activated switchTo(
      Transaction transaction, StoredConfig target, Action action, Stamp stamp) {
    Optional<StoredConfig> before = active(transaction);
    if (before.map(StoredConfig::id).equals(Optional.of(target.id()))) {
      return new Activated(target, Optional.empty(), false);
    }
    before.ifPresent(old -> transaction.put(StoredConfig.TABLE, old.after(Event.REPLACE)));
    StoredConfig active = target.after(Event.ACTIVATE);
    transaction.put(StoredConfig.TABLE, active);
    log(transaction, active, action, before.map(StoredConfig::id), stamp);
    return new Activated(active, before, true);
  }

  private static void log(
      Transaction transaction,
      StoredConfig active,
      Action action,
      Optional<Id> replaced,
      Stamp stamp) {
    transaction.insert(
        Activation.TABLE,
        new Activation(
            transaction.newId(),
            action,
            active.id(),
            active.name(),
            active.version(),
            replaced,
            transaction.now(),
            stamp));
  }

  private StoredConfig existing(Snapshot snapshot, String name, int version) {
    return find(snapshot, name, version)
        .orElseThrow(
            () ->
                DeploymentException.unknownVersion(
                    name, version, latest(snapshot, name).map(StoredConfig::version).orElse(0)));
  }

  /** The newest version below this one that the space has run on. */
  private static StoredConfig before(Snapshot snapshot, StoredConfig now) {
    return first(
            snapshot,
            Query.over(StoredConfig.TABLE, "name", "status", "version")
                .equal(now.name(), ConfigStatus.RETIRED.name())
                .until(now.version())
                .descending())
        .orElseThrow(() -> DeploymentException.nothingBefore(now));
  }

  private static Optional<StoredConfig> latest(Snapshot snapshot, String name) {
    return first(
        snapshot, Query.over(StoredConfig.TABLE, "name", "version").equal(name).descending());
  }

  private static Optional<StoredConfig> withHash(Snapshot snapshot, String name, String hash) {
    return first(snapshot, Query.over(StoredConfig.TABLE, "name", "hash").equal(name, hash));
  }

  private static Optional<StoredConfig> first(Snapshot snapshot, Query<StoredConfig> query) {
    return snapshot.scan(query, 1).records().stream().findFirst();
  }
}
