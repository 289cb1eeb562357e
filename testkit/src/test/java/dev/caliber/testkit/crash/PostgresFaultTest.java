package dev.caliber.testkit.crash;

import static dev.caliber.testkit.crash.FaultFixture.SPACE;
import static dev.caliber.testkit.crash.FaultFixture.count;
import static dev.caliber.testkit.crash.FaultFixture.find;
import static dev.caliber.testkit.crash.FaultFixture.head;
import static dev.caliber.testkit.crash.FaultFixture.insert;
import static dev.caliber.testkit.crash.FaultFixture.open;
import static dev.caliber.testkit.crash.FaultFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.CaliberException;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.maintenance.ImportMode;
import dev.caliber.store.maintenance.Maintenance;
import dev.caliber.testkit.Animal;
import dev.caliber.testkit.FlakyProxy;
import dev.caliber.testkit.PostgresServer;
import dev.caliber.testkit.TestEngines;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Connections that break around a commit, servers that restart, and unreachable servers. */
@Tag("postgres")
final class PostgresFaultTest {

  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(30);

  /** More writers would open sessions on demand, and breaks could hit these. */
  private static final int ONE_WRITER = 1;

  private static final int CUTS = 80;
  private static final int CUT_STEP = 23;
  private static final int ENOUGH_TO_REUSE_NUMBERS = 30;

  private static PostgresServer server;

  private static final int GROUP = 3;

  private FlakyProxy proxy;
  private StoreConfig.PostgresSettings direct;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void standBetween() {
    proxy = FlakyProxy.inFrontOf(server);
    direct = TestEngines.postgres(server.url());
  }

  @AfterEach
  void stepAside() {
    proxy.close();
  }

  @Test
  void aCommitWhoseAnswerIsLostIsAcknowledgedOnce() {
    try (RecordStore store = open(through(LONG))) {
      insert(store, "before", "x");
      proxy.breakOnce(new FlakyProxy.ConnectionBreak.BreakAfterCommit());
      insert(store, "cut", "the server did it, so this returns");
      assertThat(find(store, "cut")).isPresent();
      insert(store, "after", "x");
      assertThat(count(store)).isEqualTo(3);
      assertThat(head(store)).isEqualTo(3);
    }
  }

  @Test
  void aGroupWhoseAnswerIsLostIsAcknowledgedOnceToEachOfItsWriters() throws Exception {
    try (RecordStore store = open(through(LONG));
        ExecutorService writers = writers()) {
      CountDownLatch gathered = new CountDownLatch(1);
      CountDownLatch holding = new CountDownLatch(1);
      List<Thread> waiting = new CopyOnWriteArrayList<>();
      List<Future<Boolean>> outcomes = new ArrayList<>();
      outcomes.add(
          writers.submit(
              () ->
                  store.write(
                      FaultFixture.SPACE,
                      transaction -> {
                        transaction.insert(Animal.ANIMALS, Animal.of("first", "holds the lane"));
                        holding.countDown();
                        awaitUninterruptibly(gathered);
                        return true;
                      })));
      holding.await();
      for (int i = 0; i < GROUP; i++) {
        String key = "grouped" + i;
        outcomes.add(
            writers.submit(
                () -> {
                  waiting.add(Thread.currentThread());
                  return store.write(
                      FaultFixture.SPACE,
                      transaction -> {
                        proxy.breakOnce(new FlakyProxy.ConnectionBreak.BreakAfterCommit());
                        transaction.insert(Animal.ANIMALS, Animal.of(key, "x"));
                        return true;
                      });
                }));
      }
      while (waiting.size() < GROUP
          || !waiting.stream().allMatch(t -> t.getState() == Thread.State.WAITING)) {
        Thread.onSpinWait();
      }
      gathered.countDown();
      for (Future<Boolean> outcome : outcomes) {
        assertThat(outcome.get()).isTrue();
      }
      assertThat(count(store)).isEqualTo(GROUP + 1L);
      assertThat(head(store)).isEqualTo(GROUP + 1L);
    }
  }

  private static ExecutorService writers() {
    return Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("group-", 0).factory());
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while holding the lane", e);
    }
  }

  @Test
  void aCommitThatNeverReachedTheServerFailsAndIsAbsent() {
    try (RecordStore store = open(through(LONG))) {
      insert(store, "before", "x");
      proxy.breakOnce(new FlakyProxy.ConnectionBreak.BreakBeforeCommit());
      refused(() -> insert(store, "cut", "x"), List.of(StoreErrorCode.TRANSACTION_FAILED));
      assertThat(find(store, "cut")).isEmpty();
      insert(store, "cut", "at the second try");
      assertThat(head(store)).isEqualTo(2);
    }
  }

  @Test
  void aCommitWithUnknownOutcomeIsReportedInTheConfiguredTime() {
    try (RecordStore store = open(through(SHORT))) {
      insert(store, "before", "x");
      proxy.breakOnce(new FlakyProxy.ConnectionBreak.PermanentBreakBeforeCommit());
      refused(() -> insert(store, "cut", "x"), List.of(StoreErrorCode.COMMIT_OUTCOME_UNKNOWN));
      refused(() -> insert(store, "later", "x"), List.of(StoreErrorCode.UNREACHABLE));
      proxy.recover();
      insert(store, "cut", "x");
      assertThat(count(store)).isEqualTo(2);
    }
  }

  @Test
  void aLostTransactionIsNotTakenForAnotherThatGotItsNumber()
      throws InterruptedException, SQLException {
    try (RecordStore store = open(through(LONG))) {
      insertAndAwaitNotice(store, "before");
      proxy.breakOnce(new FlakyProxy.ConnectionBreak.PermanentBreakBeforeCommit());
      CompletableFuture<Boolean> lost = new CompletableFuture<>();
      Thread.ofPlatform()
          .name("lost-writer")
          .start(
              () -> {
                try {
                  insert(store, "lost", "never on disk");
                  lost.complete(true);
                } catch (CaliberException e) {
                  lost.completeExceptionally(e);
                }
              });
      proxy.awaitBrokenForGood();
      server.shutDown(PostgresServer.ShutdownMode.IMMEDIATE);
      server.bringUp();
      try (RecordStore other = open(direct)) {
        for (int i = 0; i < ENOUGH_TO_REUSE_NUMBERS; i++) {
          insert(other, "other" + i, "x");
        }
      }
      proxy.recover();
      refused(() -> outcome(lost), List.of(StoreErrorCode.TRANSACTION_FAILED));
      assertThat(find(store, "lost")).isEmpty();
      assertThat(count(store)).isEqualTo(1 + ENOUGH_TO_REUSE_NUMBERS);
    }
  }

  /**
   * Inserts and waits for the notification, the last commit that would flush the server's log
   * beside the store's own.
   */
  private void insertAndAwaitNotice(RecordStore store, String id) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.url());
        Statement statement = connection.createStatement()) {
      statement.execute("LISTEN %s_changes".formatted(direct.schema()));
      insert(store, id, "x");
      PGNotification[] notices =
          connection.unwrap(PGConnection.class).getNotifications((int) LONG.toMillis());
      assertThat(notices).isNotEmpty();
    }
  }

  private static boolean outcome(CompletableFuture<Boolean> future) throws Throwable {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  @Test
  void aLineCutAnywhereGivesSuccessOrAClearErrorAndNothingTwice() {
    try (RecordStore store = open(through(LONG))) {
      insert(store, "before", "x");
      int present = 1;
      for (int i = 0; i < CUTS; i++) {
        String id = "cut" + i;
        proxy.breakOnce(new FlakyProxy.ConnectionBreak.BreakAfterBytes((long) i * CUT_STEP));
        boolean acknowledged = tryInsert(store, id);
        proxy.breakOnce(new FlakyProxy.ConnectionBreak.NoBreak());
        assertThat(find(store, id).isPresent()).as("cut %d", i).isEqualTo(acknowledged);
        assertThat(find(store, "said of " + id).isPresent()).isEqualTo(acknowledged);
        present += acknowledged ? 1 : 0;
      }
      assertThat(count(store)).isEqualTo(2L * present - 1);
      assertThat(head(store)).isEqualTo(present);
      assertThat(present).isLessThan(CUTS);
    }
  }

  private static boolean tryInsert(RecordStore store, String id) {
    try {
      store.commit(
          SPACE,
          transaction -> {
            transaction.insert(Animal.ANIMALS, Animal.of(id, "x"));
            transaction.append(Animal.ANIMALS, Animal.of("said of " + id, "x"));
          });
      return true;
    } catch (CaliberException e) {
      assertThat(List.of(StoreErrorCode.TRANSACTION_FAILED, StoreErrorCode.UNREACHABLE))
          .as(e.toLine())
          .contains((StoreErrorCode) e.code());
      return false;
    }
  }

  @Test
  void connectionsThatDiedBetweenUsesAreReplacedUnnoticed() {
    try (RecordStore store = open(through(LONG))) {
      insert(store, "a", "x");
      assertThat(find(store, "a")).isPresent();
      proxy.cutAll();
      assertThat(find(store, "a")).isPresent();
      insert(store, "b", "x");
      server.shutDown(PostgresServer.ShutdownMode.FAST);
      server.bringUp();
      insert(store, "c", "x");
      assertThat(count(store)).isEqualTo(3);
    }
  }

  /**
   * Tests a server that loses its last commits, such as a replica that took over, and continues
   * from there.
   */
  @Test
  void whatWasReadBeforeALineBrokeIsReadAgain() throws SQLException {
    try (RecordStore store = open(through(LONG));
        RecordStore other = open(direct)) {
      insert(store, "cat", "Tom");
      rename(store, "cat", " the first");
      assertThat(store.write(SPACE, t -> t.get(Animal.ANIMALS, "cat")).name())
          .isEqualTo("Tom the first");
      rename(other, "cat", " in another history");
      try (Connection connection = DriverManager.getConnection(server.url());
          Statement statement = connection.createStatement()) {
        statement.execute(
            "UPDATE %s.store_space SET sequence = sequence - 1, host_counter = host_counter - 1"
                .formatted(direct.schema()));
        statement.execute(
            "DELETE FROM %1$s.store_feed WHERE sequence > (SELECT max(sequence) FROM %1$s.store_space)"
                .formatted(direct.schema()));
      }
      proxy.cutAll();
      assertThat(rename(store, "cat", " again"))
          .isEqualTo("Tom the first in another history again");
    }
  }

  private static String rename(RecordStore store, String id, String more) {
    return store
        .write(
            SPACE,
            t -> t.update(Animal.ANIMALS, id, animal -> animal.withName(animal.name() + more)))
        .name();
  }

  @Test
  void aServerThatRestartsInTheMiddleOfAWriteFailsItAndTheNextOneWorks() {
    try (RecordStore store = open(direct)) {
      insert(store, "before", "x");
      for (PostgresServer.ShutdownMode how : PostgresServer.ShutdownMode.values()) {
        refused(
            () ->
                store.commit(
                    SPACE,
                    transaction -> {
                      transaction.insert(Animal.ANIMALS, Animal.of("half", "x"));
                      server.shutDown(how);
                      server.bringUp();
                      transaction.insert(Animal.ANIMALS, Animal.of("other half", "x"));
                    }),
            List.of(StoreErrorCode.TRANSACTION_FAILED));
        insert(store, "after " + how, "x");
      }
      assertThat(find(store, "half")).isEmpty();
      assertThat(count(store)).isEqualTo(3);
      assertThat(head(store)).isEqualTo(3);
    }
  }

  @Test
  void aServerThatIsNotThereIsNamed() throws IOException {
    int freePort;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      freePort = closed.getLocalPort();
    }
    String url = "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(freePort);
    refused(() -> open(at(url, SHORT)), List.of(StoreErrorCode.UNREACHABLE), url);
  }

  @Test
  void aServerThatAcceptsAndNeverAnswersIsGivenUp() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      String url = "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(silent.getLocalPort());
      refused(() -> open(at(url, SHORT)), List.of(StoreErrorCode.UNREACHABLE), url);
    }
  }

  @Test
  void anAddressThatIsNoneIsRefused() {
    refused(
        () -> open(at("http://example.org", SHORT)),
        List.of(StoreErrorCode.STORE_UNREADABLE),
        "store.postgres.url");
    refused(
        () -> open(at("jdbc:postgresql://127.0.0.1:notaport/x", SHORT)),
        List.of(StoreErrorCode.STORE_UNREADABLE),
        "store.postgres.url");
  }

  @Test
  void anAddressWithAPasswordIsRefusedAndNotRepeated() {
    for (String url :
        List.of(
            server.url() + "&password=s3cret",
            "jdbc:postgresql://127.0.0.1:notaport/x?Password=s3cret",
            "jdbc:postgresql://caliber:s3cret@127.0.0.1/x")) {
      CaliberException e =
          refused(
              () -> open(at(url, SHORT)),
              List.of(StoreErrorCode.STORE_UNREADABLE),
              "store.postgres.password-variable");
      assertThat(e.toLine()).doesNotContain("s3cret");
    }
  }

  @Test
  void anImportWhoseAnswerIsLostDoesNotSayThatNothingWasWritten(@TempDir Path directory)
      throws IOException {
    Path file = directory.resolve("export");
    try (RecordStore store = open(through(LONG))) {
      insert(store, "a", "x");
      try (OutputStream out = Files.newOutputStream(file)) {
        Maintenance.of(store).export(out, Optional.empty(), ProgressListener.NONE);
      }
      insert(store, "a2", "x");
      FeedCursor before = store.changes().head(SPACE);
      proxy.breakOnce(new FlakyProxy.ConnectionBreak.BreakAfterCommit());
      refused(
          () -> Maintenance.of(store).importFrom(file, ImportMode.REPLACE, ProgressListener.NONE),
          List.of(StoreErrorCode.COMMIT_OUTCOME_UNKNOWN));
      assertThat(store.changes().head(SPACE).epoch()).isGreaterThan(before.epoch());
    }
  }

  @Test
  void layingOutAStoreMayWaitLongerThanAnAnswer() throws Exception {
    open(direct).close();
    StoreConfig.PostgresSettings hasty =
        new StoreConfig.PostgresSettings(
            direct.url(),
            direct.user(),
            direct.passwordVariable(),
            direct.schema(),
            ONE_WRITER,
            LONG,
            SHORT,
            direct.notifyInterval());
    try (Connection other = DriverManager.getConnection(server.url());
        Statement statement = other.createStatement();
        ExecutorService holder = writers()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE %s.store_meta".formatted(direct.schema()));
      Future<Boolean> held =
          holder.submit(
              () -> {
                statement.execute("SELECT pg_sleep(3)");
                other.commit();
                return true;
              });
      try (RecordStore store = open(hasty)) {
        assertThat(held.get()).isTrue();
        insert(store, "a", "x");
      }
    }
  }

  /** Tests the login of docs/postgresql.md. */
  @Test
  void aLoginThatMayMakeRolesAndOwnsItsDatabaseIsEnough() throws SQLException {
    sql("CREATE ROLE plain LOGIN CREATEROLE");
    sql("CREATE DATABASE plain OWNER plain");
    String url = server.url().replace("/postgres?user=caliber", "/plain?user=plain");
    for (int i = 0; i < 2; i++) {
      try (RecordStore store = open(at(url, LONG))) {
        insert(store, "a" + i, "x");
        assertThat(find(store, "a" + i)).isPresent();
        assertThat(store.spaces()).containsExactly(SPACE);
      }
    }
  }

  @Test
  void anUnknownDatabaseIsRefusedWithTheServersReason() {
    String url = server.url().replace("/postgres?", "/elsewhere?");
    refused(() -> open(at(url, SHORT)), List.of(StoreErrorCode.UNREACHABLE), "elsewhere");
  }

  @Test
  void aWrongPasswordIsRefusedAndNotRepeated() throws IOException, SQLException {
    Path rules = Path.of(sql("SHOW hba_file"));
    String before = Files.readString(rules, StandardCharsets.UTF_8);
    sql("CREATE ROLE stranger LOGIN PASSWORD 'right'");
    try {
      Files.writeString(rules, "host all stranger 127.0.0.1/32 scram-sha-256\n" + before);
      sql("SELECT pg_reload_conf()");
      String url = server.url().replaceAll("\\?.*", "");
      CaliberException e =
          refused(
              () -> open(at(url, SHORT, Optional.of("stranger"), Optional.of("PATH"))),
              List.of(StoreErrorCode.UNREACHABLE),
              "password",
              "stranger");
      assertThat(e.toLine()).doesNotContain(System.getenv("PATH"));
    } finally {
      Files.writeString(rules, before);
      sql("SELECT pg_reload_conf()");
    }
  }

  private static String sql(String text) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.url());
        Statement statement = connection.createStatement()) {
      if (!statement.execute(text)) {
        return "";
      }
      try (ResultSet rows = statement.getResultSet()) {
        rows.next();
        return String.valueOf(rows.getString(1));
      }
    }
  }

  private StoreConfig.PostgresSettings through(Duration patience) {
    return at(proxy.url(server), patience);
  }

  private StoreConfig.PostgresSettings at(String url, Duration patience) {
    return at(url, patience, Optional.empty(), Optional.empty());
  }

  private StoreConfig.PostgresSettings at(
      String url, Duration patience, Optional<String> user, Optional<String> password) {
    return new StoreConfig.PostgresSettings(
        url, user, password, direct.schema(), ONE_WRITER, patience, LONG, direct.notifyInterval());
  }
}
