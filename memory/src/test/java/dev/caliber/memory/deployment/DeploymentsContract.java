package dev.caliber.memory.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.RandomSource;
import dev.caliber.memory.deployment.Activation.ActivationAction;
import dev.caliber.memory.deployment.Deployments.ActivateResult;
import dev.caliber.memory.deployment.Deployments.ConfigActivation;
import dev.caliber.memory.deployment.Deployments.ConfigListQuery;
import dev.caliber.memory.deployment.Deployments.ConfigRollback;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.Table;
import dev.caliber.testkit.EachEngine;
import dev.caliber.testkit.EngineKind;
import dev.caliber.testkit.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Deployments, on every engine. */
@NullMarked
@EachEngine
class DeploymentsContract extends StoreFixture {

  protected final RecordStore openStore() {
    return open(Deployments.tables().toArray(Table<?>[]::new));
  }

  /** Closes and reopens a store; one in memory, which would be lost, stays open. */
  private RecordStore reopened(RecordStore store) {
    if (testEngine().kind() == EngineKind.MEMORY) {
      return store;
    }
    closeStores();
    return openStore();
  }

  @Test
  @DisplayName("PACK-29: source, tree and compiled form of a version are one commit")
  void aVersionIsOneCommit() {
    RecordStore store = openStore();
    var files = Map.of("cal.toml", Wishes.bytes("[meta]\n"), "agents/a.md", Wishes.bytes("# S\n"));
    FeedCursor before = store.changes().head(SPACE);
    var deployResult = Deployments.of(store).deploy(SPACE, Wishes.pack("main", files));
    assertThat(deployResult.isNew()).isTrue();
    List<Commit> commits = store.changes().read(SPACE, before, 10);
    assertThat(commits).hasSize(1);
    assertThat(commits.getFirst().changes())
        .extracting(dev.caliber.store.RecordChange::table)
        .containsExactlyInAnyOrder("dsl_config", "dsl_pack", "dsl_pack_part", "dsl_pack_part");
  }

  @Test
  @DisplayName(
      "PACK-29, J-57: a version is linked with its pack by its id, and both read back unchanged")
  void whatIsStoredReadsBackByteForByte() {
    RecordStore store = openStore();
    Deployments deployments = Deployments.of(store);
    var files = new TreeMap<String, byte[]>();
    files.put("cal.toml", Wishes.bytes("[meta]\nversion = \"1\"\n"));
    files.put("tools/bin/run", new byte[] {0, -1, 13, 10, (byte) 0xC3});
    files.put("empty.md", new byte[0]);
    var wish = Wishes.pack("main", files);
    StoredConfig stored = deployments.deploy(SPACE, wish).config();

    Deployments again = Deployments.of(reopened(store));
    StoredConfig read = again.find(SPACE, "main", 1).orElseThrow();
    assertThat(read).isEqualTo(stored);
    assertThat(read.dslSource()).isEqualTo(wish.dslSource());
    assertThat(read.ast()).isEqualTo(wish.ast());
    assertThat(read.compiled()).isEqualTo(Json.text(wish.config()));
    assertThat(read.config()).isEqualTo(wish.config());
    assertThat(read.config().hash()).isEqualTo(wish.config().hash());
    assertThat(read.createdBy()).isEqualTo("ada");
    assertThat(read.createdAt()).isEqualTo(clock.instant());
    PackContent pack = again.pack(SPACE, read).orElseThrow();
    assertThat(pack.files().keySet()).isEqualTo(files.keySet());
    files.forEach((path, bytes) -> assertThat(pack.files().get(path)).isEqualTo(bytes));
    assertThat(pack.ir()).isEqualTo("{\"agents\":[]}");
    assertThat(pack.tools()).isEqualTo("[]");
  }

  @Test
  @DisplayName("PACK-31: plain text of the language is deployed beside packs")
  void plainTextHasNoPack() {
    Deployments deployments = Deployments.of(openStore());
    StoredConfig stored = deployments.deploy(SPACE, Wishes.dsl("main", 1)).config();
    assertThat(stored.kind()).isEqualTo(ConfigSourceKind.DSL);
    assertThat(deployments.pack(SPACE, stored)).isEmpty();
    var pack = Wishes.pack("main", Map.of("cal.toml", Wishes.bytes("x")));
    assertThat(deployments.deploy(SPACE, pack).config().kind()).isEqualTo(ConfigSourceKind.PACK);
  }

  @Test
  @DisplayName("PACK-30: versions count up for each name, and the same content makes no new one")
  void versionsCountUpForEachName() {
    Deployments deployments = Deployments.of(openStore());
    assertThat(deployments.deploy(SPACE, Wishes.dsl("main", 1)).config().version()).isEqualTo(1);
    assertThat(deployments.deploy(SPACE, Wishes.dsl("main", 2)).config().version()).isEqualTo(2);
    assertThat(deployments.deploy(SPACE, Wishes.dsl("side", 1)).config().version()).isEqualTo(1);
    var again = deployments.deploy(SPACE, Wishes.dsl("main", 1));
    assertThat(again.isNew()).isFalse();
    assertThat(again.config().version()).isEqualTo(1);
    assertThat(deployments.list(SPACE, all("main")).records())
        .extracting(StoredConfig::version)
        .containsExactly(2, 1);
    assertThat(
            deployments
                .list(SPACE, new ConfigListQuery(Optional.empty(), 10, Optional.empty()))
                .rows())
        .hasSize(3);
  }

  @Test
  void aListIsReadInPages() {
    Deployments deployments = Deployments.of(openStore());
    for (int i = 1; i <= 5; i++) {
      deployments.deploy(SPACE, Wishes.dsl("main", i));
    }
    List<Integer> seen = new ArrayList<>();
    var configListQuery = new ConfigListQuery(Optional.of("main"), 2, Optional.empty());
    while (true) {
      var page = deployments.list(SPACE, configListQuery);
      page.records().forEach(config -> seen.add(config.version()));
      if (page.next().isEmpty()) {
        break;
      }
      configListQuery = new ConfigListQuery(configListQuery.name(), 2, page.next());
    }
    assertThat(seen).containsExactly(5, 4, 3, 2, 1);
  }

  @Test
  @DisplayName("PACK-30: the log records each activation with time, actor and replaced version")
  void activationIsLogged() {
    Deployments deployments = deployed(3);
    assertThat(deployments.activeVersion(SPACE)).isEmpty();
    StoredConfig first = activate(deployments, 1).config();
    clock.advance(Duration.ofMinutes(1));
    ActivateResult second = activate(deployments, 2);
    assertThat(second.replaced().map(StoredConfig::id)).contains(first.id());
    assertThat(deployments.activeVersion(SPACE).map(StoredConfig::version)).contains(2);
    assertThat(deployments.find(SPACE, "main", 1).map(StoredConfig::status))
        .contains(DeployedConfigStatus.RETIRED);
    assertThat(deployments.find(SPACE, "main", 3).map(StoredConfig::status))
        .contains(DeployedConfigStatus.DEPLOYED);
    List<Activation> log = deployments.history(SPACE, 10);
    assertThat(log).extracting(Activation::version).containsExactly(2, 1);
    assertThat(log.getFirst().at()).isEqualTo(clock.instant());
    assertThat(log.getFirst().replaced()).contains(first.id());
    assertThat(log.getFirst().stamp()).isEqualTo(Wishes.STAMP);
    assertThat(log).extracting(Activation::action).containsOnly(ActivationAction.ACTIVATE);
  }

  @Test
  @DisplayName("PACK-30: the log shows the active version at any time")
  void whatWasActiveAtATime() {
    RecordStore store = openStore();
    Deployments deployments = Deployments.of(store);
    Instant before = clock.instant();
    clock.advance(Duration.ofMinutes(1));
    for (int version = 1; version <= 2; version++) {
      deployments.deploy(SPACE, Wishes.dsl("main", version));
      activate(deployments, version);
      clock.advance(Duration.ofMinutes(1));
    }
    rollback(deployments, Optional.empty());
    Instant back = clock.instant();
    try (ActiveConfigs active = ActiveConfigs.follow(store, config().feed())) {
      assertThat(active.activeConfig(SPACE).map(ActiveConfig::version)).contains(1);
      assertThat(at(store, active, before)).isEmpty();
      assertThat(at(store, active, back.minusSeconds(120))).contains(1);
      assertThat(at(store, active, back.minusSeconds(61))).contains(1);
      assertThat(at(store, active, back.minusSeconds(60))).contains(2);
      assertThat(at(store, active, back.minusSeconds(1))).contains(2);
      assertThat(at(store, active, back)).contains(1);
      assertThat(at(store, active, back.plusSeconds(60))).contains(1);
    }
  }

  private static Optional<Integer> at(RecordStore store, ActiveConfigs active, Instant time) {
    return store.read(
        SPACE, snapshot -> active.activeConfigAt(snapshot, time).map(ActiveConfig::version));
  }

  @Test
  void activatingTheActiveVersionWritesNothing() {
    RecordStore store = openStore();
    Deployments deployments = Deployments.of(store);
    deployments.deploy(SPACE, Wishes.dsl("main", 1));
    assertThat(activate(deployments, 1).changed()).isTrue();
    ActivateResult again = activate(deployments, 1);
    assertThat(again.changed()).isFalse();
    assertThat(again.replaced()).isEmpty();
    assertThat(deployments.history(SPACE, 10)).hasSize(1);
  }

  @Test
  @DisplayName("PACK-30: a space has one active configuration of all names")
  void anotherNameTakesThePlace() {
    Deployments deployments = deployed(1);
    deployments.deploy(SPACE, Wishes.dsl("side", 9));
    activate(deployments, 1);
    deployments.activate(SPACE, new ConfigActivation("side", 1, Wishes.STAMP));
    assertThat(deployments.activeVersion(SPACE).map(StoredConfig::name)).contains("side");
    assertThat(deployments.find(SPACE, "main", 1).map(StoredConfig::status))
        .contains(DeployedConfigStatus.RETIRED);
  }

  @Test
  @DisplayName("PACK-30: two rollbacks go back two active versions, never in circles")
  void rollbackGoesBackStepByStep() {
    Deployments deployments = deployed(4);
    activate(deployments, 1);
    activate(deployments, 2);
    activate(deployments, 4);
    assertThat(rollback(deployments, Optional.empty()).config().version()).isEqualTo(2);
    assertThat(rollback(deployments, Optional.empty()).config().version()).isEqualTo(1);
    refused(DeploymentErrorCode.NO_PREVIOUS_VERSION, () -> rollback(deployments, Optional.empty()));
    assertThat(deployments.history(SPACE, 2))
        .extracting(Activation::action)
        .containsOnly(ActivationAction.ROLLBACK);
  }

  @Test
  @DisplayName("PACK-30: an earlier version is redeployed exactly, to the byte")
  void anEarlierVersionComesBackExactly() {
    Deployments deployments = deployed(3);
    StoredConfig before = activate(deployments, 1).config();
    activate(deployments, 3);
    StoredConfig back = rollback(deployments, Optional.of(1)).config();
    assertThat(back).isEqualTo(before);
    assertThat(deployments.activeVersion(SPACE)).contains(before);
  }

  @Test
  void whatIsNotThereIsRefused() {
    Deployments deployments = deployed(1);
    refused(DeploymentErrorCode.NO_ACTIVE_VERSION, () -> rollback(deployments, Optional.empty()));
    refused(DeploymentErrorCode.VERSION_NOT_FOUND, () -> activate(deployments, 2));
    refused(
        DeploymentErrorCode.VERSION_NOT_FOUND,
        () -> deployments.activate(SPACE, new ConfigActivation("nobody", 1, Wishes.STAMP)));
    activate(deployments, 1);
    refused(DeploymentErrorCode.ALREADY_ACTIVE, () -> rollback(deployments, Optional.of(1)));
    refused(DeploymentErrorCode.DEPLOYMENT_INVALID, () -> Wishes.dsl("No Name", 1));
    refused(DeploymentErrorCode.DEPLOYMENT_INVALID, () -> AuditStamp.of(" "));
    refused(DeploymentErrorCode.DEPLOYMENT_INVALID, () -> Wishes.pack("main", Map.of()));
    assertThat(deployments.history(SPACE, 10)).hasSize(1);
  }

  @Test
  void deployingIsPartOfATransactionAndFailsWithIt() {
    RecordStore store = openStore();
    Deployments deployments = Deployments.of(store);
    assertThatThrownBy(
            () ->
                store.write(
                    SPACE,
                    transaction -> {
                      deployments.deploy(transaction, Wishes.dsl("main", 1));
                      deployments.activate(
                          transaction, new ConfigActivation("main", 1, Wishes.STAMP));
                      return deployments.rollback(
                          transaction, new ConfigRollback(Optional.empty(), Wishes.STAMP));
                    }))
        .isInstanceOf(DeploymentException.class);
    assertThat(deployments.find(SPACE, "main", 1)).isEmpty();
    assertThat(deployments.activeVersion(SPACE)).isEmpty();
  }

  @Test
  void spacesDoNotSeeEachOther() {
    RecordStore store = openStore();
    store.createSpace(OTHER);
    Deployments deployments = Deployments.of(store);
    deployments.deploy(SPACE, Wishes.dsl("main", 1));
    activate(deployments, 1);
    assertThat(deployments.activeVersion(OTHER)).isEmpty();
    assertThat(deployments.deploy(OTHER, Wishes.dsl("main", 2)).config().version()).isEqualTo(1);
  }

  @Test
  @DisplayName("PACK-29: a pack of 10 MB is stored in parts, none of them near the record limit")
  void aLargePackIsStoredInParts() {
    Deployments deployments =
        Deployments.of(
            open(
                config -> withRecordLimit(config, "1MiB"),
                Deployments.tables().toArray(Table<?>[]::new)));
    RandomSource randomSource = RandomSource.seeded(SEED);
    var files = new TreeMap<String, byte[]>();
    for (int i = 0; i < 10; i++) {
      var bytes = new byte[1_000_000];
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = (byte) randomSource.nextInt(256);
      }
      files.put("tools/bin/" + i, bytes);
    }
    String ir = "\"" + "ä".repeat(1_500_000) + "\"";
    StoredConfig stored = deployments.deploy(SPACE, Wishes.pack("main", files, ir)).config();
    PackContent read = deployments.pack(SPACE, stored).orElseThrow();
    files.forEach((path, bytes) -> assertThat(read.files().get(path)).isEqualTo(bytes));
    assertThat(read.ir()).isEqualTo(ir);
  }

  @Test
  void aSourceBeyondTheRecordLimitIsRefusedWithTheLimitsName() {
    Deployments deployments =
        Deployments.of(
            open(
                config -> withRecordLimit(config, "1KiB"),
                Deployments.tables().toArray(Table<?>[]::new)));
    ConfigDeployment wish = Wishes.dsl("main", 1);
    var large =
        new ConfigDeployment(
            "main", "x".repeat(2_000), wish.ast(), wish.config(), wish.pack(), wish.stamp());
    assertThatThrownBy(() -> deployments.deploy(SPACE, large))
        .isInstanceOfSatisfying(
            CaliberException.class,
            e -> assertThat(e.code()).isEqualTo(StoreErrorCode.INVALID_RECORD))
        .hasMessageContaining("store.writes.record-limit is 1KiB");
    assertThat(deployments.find(SPACE, "main", 1)).isEmpty();
  }

  @Test
  void whoeverActivatesSeesItAtOnce() {
    RecordStore store = openStore();
    Deployments deployments = Deployments.of(store);
    try (ActiveConfigs active = ActiveConfigs.follow(store, config().feed())) {
      assertThat(active.activeConfig(SPACE)).isEmpty();
      for (int version = 1; version <= 3; version++) {
        deployments.deploy(SPACE, Wishes.dsl("main", version));
        long sequence = activateInWrite(store, deployments, version);
        assertThat(active.activeConfig(SPACE, sequence).map(ActiveConfig::version))
            .contains(version);
      }
    }
  }

  @Test
  void aWriteSeesWhatIsActiveThoughNobodyHasAskedBefore() {
    RecordStore store = openStore();
    Deployments deployments = Deployments.of(store);
    deployments.deploy(SPACE, Wishes.dsl("main", 1));
    activateInWrite(store, deployments, 1);
    try (ActiveConfigs active = ActiveConfigs.follow(store, config().feed())) {
      for (int time = 0; time < 2; time++) {
        assertThat(
                store.<Optional<Integer>>write(
                    SPACE,
                    transaction -> active.activeConfig(transaction).map(ActiveConfig::version)))
            .contains(1);
      }
    }
  }

  private static long activateInWrite(RecordStore store, Deployments deployments, int version) {
    return store.write(
        SPACE,
        transaction -> {
          deployments.activate(transaction, new ConfigActivation("main", version, Wishes.STAMP));
          return transaction.revision();
        });
  }

  @Test
  @DisplayName("PACK-30: readers see the old or the new configuration, never a mix")
  void readersSeeOldOrNew() throws Exception {
    RecordStore store = openStore();
    readersSeeOldOrNew(store, store);
  }

  @Test
  @DisplayName("PACK-30: an activation by one process takes effect in another shortly after")
  void anotherProcessFollows() throws Exception {
    RecordStore reading = openStore();
    boolean several = testEngine().kind() == EngineKind.POSTGRES;
    readersSeeOldOrNew(reading, several ? openStore() : reading);
  }

  /** Reads one store while the other activates; both may be the same. */
  private void readersSeeOldOrNew(RecordStore reading, RecordStore writing) throws Exception {
    int versions = 8;
    Deployments deployments = Deployments.of(writing);
    List<String> hashes = new ArrayList<>(List.of(""));
    for (int i = 1; i <= versions; i++) {
      hashes.add(deployments.deploy(SPACE, Wishes.dsl("main", i)).config().hash());
    }
    activate(deployments, 1);
    AtomicBoolean done = new AtomicBoolean();
    try (ActiveConfigs active = ActiveConfigs.follow(reading, config().feed());
        ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("reader-", 0).factory())) {
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        readers.add(threads.submit(() -> readUntil(done, active, hashes)));
      }
      for (int round = 0; round < 5; round++) {
        for (int version = 1; version <= versions; version++) {
          activate(deployments, version);
        }
      }
      awaitVersion(active, versions);
      rollback(deployments, Optional.empty());
      awaitVersion(active, versions - 1);
      done.set(true);
      for (Future<Long> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
    }
  }

  private static long readUntil(AtomicBoolean done, ActiveConfigs active, List<String> hashes) {
    long reads = 0;
    do {
      ActiveConfig seen = active.activeConfig(SPACE).orElseThrow();
      assertThat(seen.config()).isEqualTo(Wishes.config(seen.version()));
      assertThat(seen.hash()).isEqualTo(hashes.get(seen.version()));
      reads++;
    } while (!done.get());
    return reads;
  }

  /** Waits until the follower sees the version; the build stops a test that waits for ever. */
  private static void awaitVersion(ActiveConfigs active, int version) {
    while (active.activeConfig(SPACE).orElseThrow().version() != version) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static StoreConfig withRecordLimit(StoreConfig config, String limit) {
    return config.with("store.writes.record-limit = '%s'".formatted(limit));
  }

  private Deployments deployed(int versions) {
    Deployments deployments = Deployments.of(openStore());
    for (int i = 1; i <= versions; i++) {
      deployments.deploy(SPACE, Wishes.dsl("main", i));
    }
    return deployments;
  }

  private static ConfigListQuery all(String name) {
    return new ConfigListQuery(Optional.of(name), 10, Optional.empty());
  }

  private static ActivateResult activate(Deployments deployments, int version) {
    return deployments.activate(SPACE, new ConfigActivation("main", version, Wishes.STAMP));
  }

  private static ActivateResult rollback(Deployments deployments, Optional<Integer> version) {
    return deployments.rollback(SPACE, new ConfigRollback(version, Wishes.STAMP));
  }

  private static void refused(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(CaliberException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
