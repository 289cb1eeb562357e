package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.serve.StarterPack;
import dev.caliber.app.shell.Shell.Ran;
import dev.caliber.kernel.Json;
import dev.caliber.lang.TextMateGrammar;
import dev.caliber.lang.pack.manifest.PackSchema;
import dev.caliber.lang.pack.manifest.PackSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tomlj.Toml;
import tools.jackson.databind.JsonNode;

/** Tests of packs on the command line, from the first version to a rollback. */
class AppPackTest {
  @TempDir Path directory;
  private Shell shell;

  @BeforeEach
  void open() {
    shell = new Shell(directory).with("USER", "ada");
  }

  private String ok(String... args) {
    Ran ran = shell.run(args);
    assertThat(ran.code()).as(ran.toString()).isZero();
    return ran.out();
  }

  private JsonNode json(String... args) {
    return Json.read(ok(args), JsonNode.class);
  }

  private void edit(String file, String from, String to) throws IOException {
    Path path = directory.resolve("pack").resolve(file);
    String text = Files.readString(path);
    assertThat(text).contains(from);
    Files.writeString(path, text.replace(from, to));
  }

  /** Writes a second version of the starter pack. */
  private void secondVersion() throws IOException {
    edit("cal.toml", "max_tokens = 2000", "max_tokens = 3000");
    ok("pack", "lock", "pack");
  }

  @Test
  @DisplayName("PACK-28: the pack that init writes is valid, locked and complete")
  void theStarterPackIsValid() {
    ok("init");
    Ran ran = shell.run("pack", "validate", "pack");
    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(ran.err()).isEqualTo("1 pack: no errors\n");
    assertThat(PackSource.read(directory.resolve("pack")).paths())
        .contains("cal.toml", "cal.lock", "agents/assistant.md")
        .isEqualTo(StarterPack.files().keySet());
    assertThat(directory.resolve("pack/tools/bin/count_words")).isExecutable();
    assertThat(ok("pack", "lock", "pack")).startsWith("Unchanged");
  }

  @Test
  @DisplayName("PACK-28: the pack that init writes sets every key")
  void theStarterPackSetsEveryKey() {
    String text = new String(StarterPack.files().get(PackSource.MANIFEST), StandardCharsets.UTF_8);
    JsonNode written = Json.read(Toml.parse(text).toJson(), JsonNode.class);
    List<String> missing = new ArrayList<>();
    missing(Json.read(PackSchema.json(), JsonNode.class), List.of(written), "", missing);
    assertThat(missing)
        .as("only keys that the profile forbids are left to a comment")
        .containsExactlyInAnyOrder(".agents.retention", ".agents.index", ".agents.embeddings")
        .allMatch(key -> text.contains("# " + key.substring(key.lastIndexOf('.') + 1) + " = "));
  }

  @Test
  @DisplayName("PACK-03: commands print the files that editors need")
  void editorsAreHelped() {
    assertThat(ok("pack", "schema")).isEqualTo(PackSchema.json());
    assertThat(ok("pack", "schema", "--json").lines()).hasSize(1);
    assertThat(ok("dsl", "grammar")).isEqualTo(TextMateGrammar.json());
  }

  /** Collects the keys of a schema that none of these values has. */
  private static void missing(
      JsonNode schema, List<JsonNode> values, String path, List<String> missing) {
    List<JsonNode> children = new ArrayList<>();
    values.forEach(value -> value.forEach(children::add));
    for (String below : List.of("additionalProperties", "items")) {
      if (schema.path(below).isObject()) {
        missing(schema.path(below), children, path, missing);
      }
    }
    for (JsonNode one : schema.path("oneOf")) {
      String kind = one.path("properties").path("kind").path("const").asString();
      List<JsonNode> fitting =
          values.stream().filter(value -> value.path("kind").asString().equals(kind)).toList();
      missing(one, fitting, path, missing);
    }
    schema
        .path("properties")
        .properties()
        .forEach(
            key -> {
              String place = path + "." + key.getKey();
              List<JsonNode> found =
                  values.stream().filter(value -> value.has(key.getKey())).toList();
              if (found.isEmpty()) {
                missing.add(place);
              } else {
                missing(
                    key.getValue(),
                    found.stream().map(value -> value.path(key.getKey())).toList(),
                    place,
                    missing);
              }
            });
  }

  @Test
  void initMakesTheDirectory() {
    assertThat(ok("init", "new/project")).contains("pack validate new/project/pack");
    assertThat(ok("config", "check", "--config", "new/project/caliber.toml")).contains("valid");
    ok("pack", "validate", "new/project/pack");
  }

  @Test
  void initWritesBothOrNeither() throws IOException {
    Files.createDirectory(directory.resolve("pack"));
    assertThat(shell.run("init").code()).isEqualTo(ExitCode.CONFLICT.number());
    assertThat(directory.resolve("caliber.toml")).doesNotExist();
    Files.delete(directory.resolve("pack"));
    Files.writeString(directory.resolve("caliber.toml.partial"), "");
    assertThat(shell.run("init").code()).isEqualTo(ExitCode.CONFLICT.number());
    assertThat(directory).isDirectoryNotContaining(path -> path.endsWith("pack"));
    assertThat(directory.resolve("caliber.toml")).doesNotExist();
    Files.delete(directory.resolve("caliber.toml.partial"));
    ok("init");
    assertThat(shell.run("init").code()).isEqualTo(ExitCode.CONFLICT.number());
  }

  @Test
  @DisplayName("PACK-21: a secret in a pack is refused and its line is never printed")
  void secretsAreNotPrinted() throws IOException {
    ok("init");
    String secret = "ghp_" + "a1B2c3D4e5".repeat(4).substring(0, 36);
    edit("agents/assistant.md", "# System\n", "# System\nUse " + secret + " to log in.\n");
    for (String format : List.of("--json", "--debug")) {
      Ran ran = shell.run(format, "pack", "validate", "pack");
      assertThat(ran.code()).isEqualTo(ExitCode.FAILED.number());
      assertThat(ran.out() + ran.err()).contains("RAW_SECRET").doesNotContain(secret);
    }
  }

  @Test
  @DisplayName("PACK-28: validate shows the position of a mistake and ends with 1")
  void aMistakeIsShownWhereItIs() throws IOException {
    ok("init");
    edit("cal.toml", "profile = \"profiles.long\"", "profile = \"profiles.lnog\"");
    Ran ran = shell.run("pack", "validate", "pack");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .contains("profile = \"profiles.lnog\"\n", "^^^^^", "--> pack/cal.toml:")
        .contains("was changed since the pack was locked");
    assertThat(ran.err()).contains("errors");
    JsonNode found =
        Json.read(shell.run("pack", "validate", "pack", "--json").out(), JsonNode.class);
    assertThat(found.get("errors").asInt()).isPositive();
    assertThat(found.get("diagnostics").get(0).get("file").asString()).startsWith("pack/");
  }

  @Test
  @DisplayName("PACK-28: compose prints tree, text and compiled form, the same bytes each time")
  void composePrintsWhatAPackBecomes() {
    ok("init");
    assertThat(ok("pack", "compose", "pack"))
        .isEqualTo(ok("pack", "compose", "pack"))
        .contains("-- dsl", "-- ast", "-- compiled", "-- ir", "memory note {");
    String dsl = ok("pack", "compose", "pack", "--print", "dsl");
    assertThat(dsl).startsWith("caliber: ");
    assertThat(shell.typing(dsl).run("dsl", "check", "-").code()).isZero();
    JsonNode whole = json("pack", "compose", "pack", "--json");
    assertThat(whole.get("compiled").get("memories").size()).isEqualTo(3);
    assertThat(whole.get("dsl_source").asString().strip()).isEqualTo(dsl.strip());
  }

  @Test
  @DisplayName(
      "PACK-28, PACK-30: deploy, deploy another version, roll back, and find the first again")
  void deployAndGoBack() throws IOException {
    ok("init");
    JsonNode first = json("pack", "deploy", "pack", "--json");
    assertThat(first.get("version").asInt()).isEqualTo(1);
    assertThat(first.get("active").asBoolean()).isTrue();
    assertThat(ok("pack", "deploy", "pack")).contains("starter version 1 was already stored");
    secondVersion();
    assertThat(ok("pack", "deploy", "pack", "--actor", "grace", "--metadata", "revision=abc"))
        .contains("Stored starter version 2", "instead of starter version 1");
    assertThat(ok("pack", "list"))
        .containsPattern("starter +2  ACTIVE +PACK .*grace")
        .containsPattern("starter +1  RETIRED +PACK .*ada");
    assertThat(ok("pack", "rollback")).contains("now runs on starter version 1");
    JsonNode back =
        Json.read(ok("pack", "list", "--json").lines().toList().getLast(), JsonNode.class);
    assertThat(back.get("status").asString()).isEqualTo("ACTIVE");
    assertThat(back.get("hash").asString()).isEqualTo(first.get("hash").asString());
    assertThat(ok("pack", "activate", "starter", "2")).contains("now runs on starter version 2");
    assertThat(ok("pack", "activate", "starter", "2")).contains("already");
    assertThat(ok("pack", "rollback", "1", "--json")).contains("\"replaced_version\":2");
    assertThat(shell.run("pack", "rollback").code()).isEqualTo(ExitCode.CONFLICT.number());
  }

  @Test
  void storingIsNotActivating() {
    ok("init");
    assertThat(ok("pack", "deploy", "pack", "--no-activate")).contains("not active");
    assertThat(ok("pack", "list")).contains("DEPLOYED");
    assertThat(ok("pack", "list", "--name", "other")).doesNotContain("starter");
    assertThat(shell.run("pack", "activate", "starter", "7").code())
        .isEqualTo(ExitCode.NOT_FOUND.number());
  }

  @Test
  @DisplayName("PACK-27: deploy refuses a pack that does not match its lock, and stores nothing")
  void driftIsRefused() throws IOException {
    ok("init");
    edit("agents/assistant.md", "Do not guess.", "Guess.");
    Ran ran = shell.run("pack", "deploy", "pack");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains("'agents/assistant.md' was changed since the pack was locked");
    assertThat(directory.resolve("caliber-data")).doesNotExist();
  }

  @Test
  void withoutALockOnlyWhenAskedTo() throws IOException {
    ok("init");
    Files.delete(directory.resolve("pack/cal.lock"));
    Ran ran = shell.run("pack", "deploy", "pack");
    assertThat(ran.code()).isEqualTo(ExitCode.CONFLICT.number());
    assertThat(ran.err()).contains("PACK_NOT_LOCKED", "caliber pack lock");
    assertThat(ok("pack", "deploy", "pack", "--allow-unlocked"))
        .contains("Stored starter version 1");
  }

  @Test
  void anotherNameHasVersionsOfItsOwn() {
    ok("init");
    ok("pack", "deploy", "pack");
    assertThat(ok("pack", "deploy", "pack", "--name", "other")).contains("other version 1");
    Ran ran = shell.run("pack", "deploy", "pack", "--name", "No Name");
    assertThat(ran.code()).isEqualTo(ExitCode.INVALID.number());
    assertThat(ran.err()).contains("name of a configuration");
  }

  @Test
  void aDirectoryWithoutAPackIsSaidInOneLine() {
    for (List<String> args :
        List.of(
            List.of("pack", "validate", "nowhere"),
            List.of("pack", "deploy", "nowhere"),
            List.of("pack", "compose", "nowhere"))) {
      Ran ran = shell.run(args.toArray(String[]::new));
      assertThat(ran.code()).isEqualTo(ExitCode.NOT_FOUND.number());
      assertThat(ran.err()).hasLineCount(1);
    }
  }

  @Test
  @DisplayName("PACK-28: diff shows permissions and budgets first, against the active pack")
  void diffShowsPermissionsFirst() throws IOException {
    ok("init");
    assertThat(shell.run("pack", "diff", "pack").code()).isEqualTo(ExitCode.NOT_FOUND.number());
    ok("pack", "deploy", "pack");
    assertThat(ok("pack", "diff", "pack"))
        .isEqualTo("Permissions and budgets: 0 changes\nEverything else: 0 changes\n");
    edit("cal.toml", "allow_network = false", "allow_network = true");
    edit("agents/assistant.md", "Do not guess.", "Never guess.");
    String text = ok("pack", "diff", "pack");
    assertThat(text.lines().toList())
        .satisfies(lines -> assertThat(lines.getFirst()).startsWith("Permissions and budgets: "))
        .anyMatch(line -> line.contains("capability") && line.contains("tools.prompts.summarise"));
    assertThat(text.indexOf("capability"))
        .isPositive()
        .isLessThan(text.indexOf("Everything else"))
        .isLessThan(text.indexOf("prompt  "));
    JsonNode first =
        Json.read(
            ok("pack", "diff", "pack", "--json").lines().findFirst().orElseThrow(), JsonNode.class);
    assertThat(first.get("sensitive").asBoolean()).isTrue();
    assertThat(shell.run("pack", "diff", "pack", "--check").code()).isEqualTo(1);
  }

  @Test
  void diffComparesTwoDirectories() throws IOException {
    ok("init");
    Files.createDirectory(directory.resolve("other"));
    ok("init", "other");
    edit("cal.toml", "max_tokens = 2000", "max_tokens = 10");
    assertThat(ok("pack", "diff", "other/pack", "pack")).contains("2000", "10");
    edit("cal.toml", "max_tokens = 10", "max_tokens = \"ten\"");
    Ran ran = shell.run("pack", "diff", "other/pack", "pack");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains("pack/cal.toml:");
  }

  @Test
  @DisplayName(
      "PACK-31: source text of the language is deployed beside packs, and rolled back like them")
  void plainTextIsDeployedToo() {
    ok("init");
    ok("pack", "deploy", "pack");
    shell.typing(ok("pack", "compose", "pack", "--print", "dsl"));
    assertThat(ok("dsl", "deploy", "-", "--name", "plain"))
        .contains("Stored plain version 1", "instead of starter version 1");
    assertThat(ok("dsl", "deploy", "-", "--name", "plain")).contains("was already stored");
    assertThat(ok("pack", "list", "--name", "plain")).containsPattern("plain +1  ACTIVE +DSL");
    assertThat(shell.run("pack", "diff", "pack").code()).isEqualTo(ExitCode.NOT_FOUND.number());
    ok("pack", "activate", "starter", "1");
    assertThat(shell.typing("caliber").run("dsl", "deploy", "-", "--name", "plain").code())
        .isEqualTo(1);
    assertThat(ok("pack", "list", "--name", "plain")).hasLineCount(2);
  }
}
