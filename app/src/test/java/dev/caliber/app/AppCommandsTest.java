package dev.caliber.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.DemoTables.Note;
import dev.caliber.app.Shell.Ran;
import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What the commands do when all is well. */
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

  /** Does something to the store that the commands find here. */
  private <T> T inStore(Function<RecordStore, T> work) {
    ManualClock clock = new ManualClock();
    StoreConfig config = DemoDirectory.config(directory.resolve("caliber-data"));
    try {
      DemoDirectory.mark(directory.resolve("caliber-data"));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    try (RecordStore store =
        RecordStore.open(config, DemoTables.ALL, clock, Ids.of(clock, Chance.seeded(7)))) {
      return work.apply(store);
    }
  }

  private void note(String name) {
    inStore(
        store ->
            store.write(
                SPACE,
                transaction -> {
                  transaction.insert(DemoTables.NOTES, new Note(name, "text of " + name));
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
    assertThat(ok("config", "check")).contains("all", "settings are right");
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
            .replace("sessions = 8", "sessions = 0")
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
    assertThat(directory.resolve("caliber-data").resolve(Workbench.STORE_FILE)).exists();
  }

  @Test
  void dataNamesAnotherStoreForOneCall() {
    ok("spaces", "create", "one", "--data", "a");
    ok("--data", "b", "spaces", "create", "two");
    assertThat(ok("spaces", "list", "--data", "a")).contains("one").doesNotContain("two");
    assertThat(directory.resolve("b").resolve(Workbench.STORE_FILE)).exists();
  }

  @Test
  void spacesAreMadeOnceAndListed() {
    assertThat(ok("spaces", "create", "team-a")).contains("Made");
    assertThat(ok("spaces", "create", "team-a")).contains("already");
    assertThat(
            ok("spaces", "list", "--json").lines().map(line -> json(line).get("space").asString()))
        .containsExactly("default", "team-a");
  }

  @Test
  void statsCountsWhatIsThere() {
    note("first");
    note("second");
    JsonNode stats = json(ok("stats", "--json"));
    JsonNode space = stats.get("spaces").get(0);
    assertThat(space.get("records").get("demo_note").asLong()).isEqualTo(2);
    assertThat(space.get("last_commit").asLong()).isEqualTo(2);
    assertThat(stats.get("bytes").asLong()).isPositive();
    assertThat(ok("stats")).contains("demo_note", "KiB");
  }

  @Test
  void theFeedIsPrintedFromWhereOneLikes() {
    note("first");
    note("second");
    assertThat(ok("feed", "tail").lines())
        .satisfiesExactly(
            first -> assertThat(first).startsWith("1  ").endsWith("created demo_note first"),
            second -> assertThat(second).startsWith("2  ").endsWith("created demo_note second"));
    JsonNode commit = json(ok("feed", "tail", "--from", "2", "--json"));
    assertThat(commit.get("sequence").asLong()).isEqualTo(2);
    assertThat(commit.get("changes").get(0).get("key").asString()).isEqualTo("second");
    assertThat(ok("feed", "tail", "--from", "3")).isEmpty();
  }

  @Test
  void deadJobsAreListedAndRevived() {
    Id dead = inStore(AppCommandsTest::deadJob);
    assertThat(ok("jobs", "list", "--state", "dead")).contains(dead.toString(), "DEAD", "no luck");
    assertThat(ok("jobs", "list", "--state", "ready")).doesNotContain(dead.toString());
    assertThat(ok("jobs", "revive", dead.toString())).contains("ready again");
    assertThat(json(ok("jobs", "list", "--json")).get("state").asString()).isEqualTo("READY");
    Ran again = shell.run("jobs", "revive", dead.toString());
    assertThat(again.code()).isEqualTo(ExitCode.CONFLICT.number());
  }

  private static Id deadJob(RecordStore store) {
    ManualClock clock = new ManualClock();
    StoreConfig.JobRules starter = StoreConfig.starter().jobs();
    StoreConfig.JobRules once =
        new StoreConfig.JobRules(
            1,
            starter.lease(),
            1,
            starter.backoff(),
            starter.backoff(),
            starter.backoff(),
            starter.lease());
    Id id =
        store.write(
            SPACE,
            transaction ->
                Jobs.schedule(transaction, JobRequest.of("mail", "{}", transaction.now())));
    try (Jobs jobs = Jobs.of(store, once, clock)) {
      jobs.handle(
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
