package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.demo.DemoDirectory;
import dev.caliber.app.shell.Shell.Ran;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Tombstone;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.store.job.JobRequest;
import dev.caliber.store.job.Jobs;
import dev.caliber.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests of commands in their normal case. */
class AppCommandsTest {
  private static final SpaceId SPACE = SpaceId.DEFAULT;

  @TempDir Path directory;
  private Shell shell;

  @BeforeEach
  void open() {
    shell = new Shell(directory);
  }

  private String ok(String... args) {
    Ran ran = shell.run(args);
    assertThat(ran.code()).as(ran.toString()).isZero();
    return ran.out();
  }

  /** Runs work on the store that the commands of this test use. */
  private <T> T inStore(Function<RecordStore, T> work) {
    ManualClock clock = new ManualClock();
    StoreConfig config = DemoDirectory.config(directory.resolve("caliber-data"));
    try (RecordStore store =
        Stores.open(
            config,
            List.of(Tombstone.TABLE),
            clock,
            IdGenerator.of(clock, RandomSource.seeded(7)))) {
      return work.apply(store);
    }
  }

  private static final Id FIRST = Id.parse("00000000000000000000000001");
  private static final Id SECOND = Id.parse("00000000000000000000000002");

  private void insertRecord(Id key) {
    inStore(
        store ->
            store.write(
                SPACE,
                transaction -> {
                  transaction.insert(
                      Tombstone.TABLE, new Tombstone(key, EntityType.NOTE, "text", Instant.EPOCH));
                  return true;
                }));
  }

  @Test
  void theCommandAloneShowsTheHelp() {
    assertThat(ok()).isEqualTo(ok("--help")).contains("Usage: caliber", "Exit codes", "demo");
  }

  @Test
  void helpFindsCommandsOfAnyDepth() {
    assertThat(ok("help", "feed", "tail"))
        .isEqualTo(ok("feed", "tail", "--help"))
        .contains("caliber feed tail", "--follow");
    assertThat(ok("help")).isEqualTo(ok("--help"));
  }

  @Test
  void theVersionNamesJava() {
    assertThat(ok("--version")).startsWith("caliber ").contains("Java");
  }

  @Test
  void theStarterFileIsCompleteAndRight() {
    assertThat(ok("init")).contains("caliber.toml");
    assertThat(directory.resolve("caliber.toml")).hasContent(AppConfig.starterText());
    assertThat(ok("config", "check")).contains("all", "settings are valid");
  }

  @Test
  void theStarterFileHasTheHashOfRunningWithoutOne() {
    String without = json(ok("config", "check", "--json")).get("hash").asString();
    ok("init");
    JsonNode with = json(ok("config", "check", "--json"));
    assertThat(with.get("hash").asString()).isEqualTo(without);
    assertThat(with.get("source").asString()).endsWith("caliber.toml");
  }

  @Test
  void checkingListsEveryErrorWithItsPlace() throws IOException {
    Files.writeString(
        directory.resolve("caliber.toml"),
        AppConfig.starterText()
            .replace("\nconnections = 8", "\nconnections = 0")
            .replace("durability = \"full\"", "durability = \"x\""));
    Ran ran = shell.run("config", "check");
    assertThat(ran.code()).isEqualTo(ExitCode.FAILED.number());
    assertThat(ran.out().lines()).hasSize(2).allMatch(line -> line.matches(".*:\\d+:\\d+: .*"));
    Ran json = shell.run("config", "check", "--json");
    assertThat(json.code()).isEqualTo(ExitCode.FAILED.number());
    assertThat(json(json.out()).get("problems").size()).isEqualTo(2);
  }

  @Test
  void theNearestFileUpwardsCountsAndPathsAreSeenFromIt() throws IOException {
    ok("init");
    ok("spaces", "create", "team-a");
    Path below = Files.createDirectories(directory.resolve("src/deep"));
    Ran ran = new Shell(below).run("spaces", "list");
    assertThat(ran.out()).contains("team-a");
    assertThat(directory.resolve("caliber-data").resolve(CommandContext.STORE_FILE)).exists();
  }

  @Test
  void dataNamesAnotherStoreForOneCall() {
    ok("spaces", "create", "one", "--data", "a");
    ok("--data", "b", "spaces", "create", "two");
    assertThat(ok("spaces", "list", "--data", "a")).contains("one").doesNotContain("two");
    assertThat(directory.resolve("b").resolve(CommandContext.STORE_FILE)).exists();
  }

  @Test
  void spacesAreMadeOnceAndListed() {
    assertThat(ok("spaces", "create", "team-a")).contains("Created");
    assertThat(ok("spaces", "create", "team-a")).contains("already");
    assertThat(
            ok("spaces", "list", "--json").lines().map(line -> json(line).get("space").asString()))
        .containsExactly("default", "team-a");
  }

  @Test
  void statsCountsWhatIsThere() {
    insertRecord(FIRST);
    insertRecord(SECOND);
    JsonNode stats = json(ok("stats", "--json"));
    JsonNode space = stats.get("spaces").get(0);
    assertThat(space.get("records").get("tombstone").asLong()).isEqualTo(2);
    assertThat(space.get("sequence").asLong()).isEqualTo(2);
    assertThat(stats.get("bytes").asLong()).isPositive();
    assertThat(ok("stats")).contains("tombstone", "KiB");
  }

  @Test
  void theFeedIsPrintedFromWhereOneLikes() {
    insertRecord(FIRST);
    insertRecord(SECOND);
    assertThat(ok("feed", "tail").lines())
        .satisfiesExactly(
            first -> assertThat(first).startsWith("1  ").endsWith("created tombstone " + FIRST),
            second -> assertThat(second).startsWith("2  ").endsWith("created tombstone " + SECOND));
    JsonNode commit = json(ok("feed", "tail", "--from-sequence", "2", "--json"));
    assertThat(commit.get("sequence").asLong()).isEqualTo(2);
    assertThat(commit.get("changes").get(0).get("key").asString()).isEqualTo(SECOND.toString());
    assertThat(ok("feed", "tail", "--from-sequence", "3")).isEmpty();
  }

  @Test
  void deadJobsAreListedAndRevived() {
    Id dead = inStore(AppCommandsTest::deadJob);
    assertThat(ok("jobs", "list", "--state", "dead")).contains(dead.toString(), "DEAD", "no luck");
    assertThat(ok("jobs", "list", "--state", "ready")).doesNotContain(dead.toString());
    assertThat(ok("jobs", "retry", dead.toString())).contains("ready again");
    assertThat(json(ok("jobs", "list", "--json")).get("state").asString()).isEqualTo("READY");
    Ran again = shell.run("jobs", "retry", dead.toString());
    assertThat(again.code()).isEqualTo(ExitCode.CONFLICT.number());
  }

  private static Id deadJob(RecordStore store) {
    ManualClock clock = new ManualClock();
    StoreConfig.JobSettings once =
        StoreConfig.starter()
            .with("store.jobs.concurrency = 1", "store.jobs.attempts-limit = 1")
            .jobs();
    Id id =
        store.write(
            SPACE,
            transaction ->
                Jobs.schedule(transaction, JobRequest.of("mail", "{}", transaction.now())));
    try (Jobs jobs = Jobs.of(store, once, clock)) {
      jobs.registerHandler(
          "mail",
          _ -> {
            throw new IllegalStateException("no luck");
          });
      assertThat(jobs.runDue(SPACE)).isEqualTo(1);
    }
    return id;
  }

  private static JsonNode json(String line) {
    return Json.read(line, JsonNode.class);
  }
}
