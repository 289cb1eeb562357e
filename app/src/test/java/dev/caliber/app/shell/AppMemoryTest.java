package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.shell.Shell.Ran;
import dev.caliber.kernel.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests of {@code caliber remember}, {@code recall} and {@code forget}. */
class AppMemoryTest {
  private static final String SEATS = "I prefer window seats on long flights.";

  @TempDir Path directory;
  private Shell shell = new Shell(Path.of(""));

  @BeforeEach
  void open() {
    shell = new Shell(directory);
  }

  private String ok(String... args) {
    Ran ran = shell.run(args);
    assertThat(ran.code()).as(ran.toString()).isZero();
    return ran.out();
  }

  private JsonNode json(String... args) {
    return Json.read(ok(args), JsonNode.class);
  }

  private static List<String> texts(JsonNode recalled) {
    return recalled.get("hits").valueStream().map(hit -> hit.get("text").asString()).toList();
  }

  @Test
  void whatIsRememberedIsFoundByItsMeaning() {
    assertThat(ok("remember", SEATS, "--subject", "alice"))
        .startsWith("Remembered preference about 'alice'");
    ok("remember", "The quarterly report is due on Friday.", "--subject", "alice");
    ok("remember", "I prefer the aisle.", "--subject", "bob");
    JsonNode found = json("recall", "Where does she like to sit?", "--subject", "alice", "--json");
    assertThat(found.get("method").asString()).isEqualTo("words and meaning");
    assertThat(texts(found)).first().isEqualTo(SEATS);
    assertThat(texts(found)).doesNotContain("I prefer the aisle.");
    assertThat(ok("recall", "window", "--lexical")).contains("SIMILARITY", "TEXT", SEATS);
  }

  @Test
  void theSameTwiceIsOneNoteAndAContradictionIsTold() {
    JsonNode first = json("remember", "Alice lives in Lisbon.", "--entity", "alice", "--json");
    JsonNode again = json("remember", "Alice lives in Lisbon.", "--entity", "alice", "--json");
    assertThat(again.get("note").get("id")).isEqualTo(first.get("note").get("id"));
    assertThat(ok("remember", "Alice lives in Porto.", "--entity", "alice"))
        .contains("It contradicts", "Alice lives in Lisbon.");
  }

  @Test
  void whatWasStoredCannotSteerTheTerminal() {
    ok(
        "remember",
        "Beware\u001b]0;owned\u0007 of \u001b[2Jthe dog.\u009b1A",
        "--entity",
        "the\ndog");
    Ran told = shell.run("recall", "dog", "--lexical");
    assertThat(told.out()).contains("the dog.").doesNotContain("\u001b", "\u0007", "\u009b");
    assertThat(ok("recall", "dog", "--lexical", "--json")).contains("\\u001B]0;owned");
    java.io.ByteArrayOutputStream shown = new java.io.ByteArrayOutputStream();
    java.io.PrintStream screen =
        new java.io.PrintStream(shown, true, java.nio.charset.StandardCharsets.UTF_8);
    Terminal terminal = Terminal.of(screen, screen).withColours();
    terminal.printLine(terminal.bold("Title") + "\u001b[2J\u001b]52;c;x\u0007\tdone");
    assertThat(shown.toString(java.nio.charset.StandardCharsets.UTF_8))
        .isEqualTo("\u001b[1mTitle\u001b[0m[2J]52;c;x\tdone" + System.lineSeparator());
  }

  @Test
  void turnsOfASessionAreAppendedAndFound() {
    assertThat(ok("remember", "Where is my parcel?", "--session", "t-7")).startsWith("Turn 1 of");
    shell.typing("It is in Oslo.\n");
    assertThat(ok("remember", "-", "--session", "t-7", "--role", "assistant"))
        .startsWith("Turn 2 of");
    JsonNode found = json("recall", "parcel Oslo", "--session", "t-7", "--lexical", "--json");
    assertThat(texts(found)).containsExactlyInAnyOrder("Where is my parcel?", "It is in Oslo.");
    assertThat(texts(json("recall", "parcel", "--type", "note", "--lexical", "--json"))).isEmpty();
    assertThat(shell.run("recall", "parcel", "--session", "t-8", "--lexical").code())
        .isEqualTo(ExitCode.INVALID.number());
  }

  @Test
  void hitsThatDoNotFitAreLeftOutWhole() {
    ok("remember", "The parcel is in Oslo.", "--subject", "alice");
    ok("remember", "The parcel is heavy, " + "heavy ".repeat(200), "--subject", "bob");
    JsonNode found = json("recall", "parcel", "--lexical", "--max-tokens", "20", "--json");
    assertThat(texts(found)).containsExactly("The parcel is in Oslo.");
    assertThat(found.get("omitted").asInt()).isEqualTo(1);
    assertThat(texts(json("recall", "parcel", "--lexical", "--limit", "1", "--json"))).hasSize(1);
  }

  @Test
  void theLeastSimilarityIsPartOfTheQuestion() {
    ok("remember", "The parcel is in Oslo.");
    String[] wanted = {"recall", "heavy red parcel", "--lexical", "--json", "--min-similarity"};
    assertThat(texts(json(with(wanted, "0")))).containsExactly("The parcel is in Oslo.");
    assertThat(shell.run(with(wanted, "2")).err()).contains("min_similarity");
  }

  private static String[] with(String[] words, String last) {
    String[] all = Arrays.copyOf(words, words.length + 1);
    all[words.length] = last;
    return all;
  }

  @Test
  void whatWasBelievedAtATimeIsAnswered() {
    ok("remember", "The office is in Lisbon.");
    assertThat(texts(json("recall", "office", "--as-of", "1999-01-01", "--json"))).isEmpty();
    assertThat(texts(json("recall", "office", "--as-of", "2999-01-01T00:00:00Z", "--json")))
        .hasSize(1);
    Ran wrong = shell.run("recall", "office", "--as-of", "yesterday");
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(wrong.err()).contains("2026-03-01T09:30:00Z");
  }

  @Test
  void whatIsAndWasKnownIsListed() {
    ok("remember", "The office is in Lisbon.", "--entity", "office");
    ok("remember", "The sky is blue.", "--entity", "sky");
    assertThat(ok("notes", "--entity", "office")).contains("Lisbon").doesNotContain("sky");
    assertThat(ok("notes", "--as-of", "2999-01-01", "--valid-at", "2026-03-01"))
        .contains("Lisbon", "blue");
    assertThat(ok("notes", "--as-of", "1999-01-01")).doesNotContain("Lisbon");
    Ran wrong = shell.run("notes", "--valid-at", "yesterday");
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(wrong.err()).contains("--valid-at");
  }

  @Test
  @DisplayName("STO-04: notes of a type are listed, an error for a wrong type lists the valid ones")
  void notesOfAType() {
    ok("remember", "The office is in Lisbon.", "--type", "fact");
    ok("remember", "Knock before you enter.", "--type", "convention");
    Ran none = shell.run("notes", "--entity", "absent");
    assertThat(none.out()).isEmpty();
    assertThat(none.err()).contains("No note matches.", "caliber remember");
    assertThat(ok("notes", "--type", "convention")).contains("Knock").doesNotContain("Lisbon");
    for (String command : List.of("notes", "remember")) {
      String[] line =
          command.equals("notes")
              ? new String[] {"notes", "--type", "turn"}
              : new String[] {"remember", "x", "--type", "turn"};
      Ran wrong = shell.run(line);
      assertThat(wrong.code()).isEqualTo(ExitCode.USAGE.number());
      assertThat(wrong.err())
          .contains("--type: unknown type 'turn'", "Valid types are convention, ");
    }
    assertThat(shell.run("recall", "x", "--type", "foo").err())
        .contains("Valid types are note, turn, artifact, convention, ");
  }

  @Test
  void nothingIsForgottenWithoutYes() {
    ok("remember", SEATS, "--subject", "alice");
    Ran preview = shell.run("forget", "--subject", "alice");
    assertThat(preview.out()).contains("note", SEATS);
    assertThat(preview.err()).contains("Records to delete: 1. Use --yes to delete them.");
    assertThat(texts(json("recall", "window", "--lexical", "--json"))).hasSize(1);
    JsonNode gone = json("forget", "--subject", "alice", "--yes", "--json");
    assertThat(gone.get("preview").asBoolean()).isFalse();
    assertThat(gone.get("records")).hasSize(1);
    assertThat(texts(json("recall", "window", "--lexical", "--json"))).isEmpty();
    assertThat(shell.run("forget", "--subject", "alice", "--yes").err())
        .contains("No record matches");
  }

  @Test
  void oneRecordIsForgottenByItsId() {
    String id =
        json("remember", SEATS, "--subject", "alice", "--json").get("note").get("id").asString();
    ok("remember", "I prefer tea.", "--subject", "alice");
    ok("forget", id, "--yes", "--reason", "asked by mail");
    assertThat(texts(json("recall", "prefer", "--lexical", "--json")))
        .containsExactly("I prefer tea.");
    assertThat(shell.run("forget", id, "--yes").code()).isEqualTo(ExitCode.NOT_FOUND.number());
  }

  @Test
  void theSpaceIsTheOptionThenTheEnvironmentThenTheFile() throws IOException {
    ok("init");
    Path file = directory.resolve("caliber.toml");
    Files.writeString(
        file,
        Files.readString(file)
            .replace("[command]\n", "[command]\n#\n")
            .replaceFirst("(?m)^default-space = \"default\"$", "default-space = \"from-file\""));
    for (String space : List.of("from-file", "from-variable", "from-option")) {
      ok("spaces", "create", space);
    }
    ok("remember", "In the file's space.");
    shell.with("CALIBER_SPACE", "from-variable");
    ok("remember", "In the variable's space.");
    ok("remember", "In the option's space.", "--space", "from-option");
    assertThat(texts(json("recall", "space", "--lexical", "--json")))
        .containsExactly("In the variable's space.");
    assertThat(texts(json("recall", "space", "--lexical", "--json", "--space", "from-option")))
        .containsExactly("In the option's space.");
    assertThat(ok("export")).contains("variable's").doesNotContain("file's", "option's");
    assertThat(json("stats", "--json").get("spaces").size()).isEqualTo(1);
    shell.with("CALIBER_SPACE", "");
    assertThat(texts(json("recall", "space", "--lexical", "--json")))
        .containsExactly("In the file's space.");
  }

  @Test
  void aSpaceOfTheFileThatCannotBeIsReportedWithItsPlace() throws IOException {
    ok("init");
    Path file = directory.resolve("caliber.toml");
    Files.writeString(
        file,
        Files.readString(file)
            .replace("default-space = \"default\"", "default-space = \"No Space\""));
    Ran ran = shell.run("config", "check");
    assertThat(ran.code()).isEqualTo(ExitCode.FAILED.number());
    assertThat(ran.out() + ran.err()).contains("caliber.toml:", "command.default-space");
  }

  @Test
  void whatDoesNotFitTogetherIsRefusedAndNothingIsWritten() {
    ok("spaces", "create", "default");
    String before = ok("stats", "--json");
    for (String[] wrong :
        new String[][] {
          {"remember", "x", "--session", "s", "--type", "fact"},
          {"remember", "x", "--role", "user"},
          {"remember", "x", "--session", "s", "--role", "tool"},
          {"remember", "x", "--type", "opinion"},
          {"remember", "  "},
          {"recall", "x", "--type", "fact,turn"},
          {"recall", "x", "--limit", "0"},
          {"forget"},
          {"forget", "--subject", "a", "--dry-run", "--yes"},
          {"forget", "no-id", "--yes"},
        }) {
      Ran ran = shell.run(wrong);
      assertThat(ran.code()).as(List.of(wrong) + ran.toString()).isIn(2, 65);
      assertThat(ran.out()).isEmpty();
      assertThat(ran.err()).contains("caliber: CALIBER_");
    }
    assertThat(shell.run("remember", "x", "--space", "nowhere").code())
        .isEqualTo(ExitCode.NOT_FOUND.number());
    assertThat(ok("stats", "--json")).isEqualTo(before);
  }

  @Test
  void recallMakesNoStore() {
    assertThat(shell.run("recall", "x").code()).isEqualTo(ExitCode.NOT_FOUND.number());
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void manyTextsWithoutVectorsWaitForTheirCommand() throws IOException {
    ok("init");
    Path file = directory.resolve("caliber.toml");
    Files.writeString(
        file, Files.readString(file).replace("embedding-limit = 500", "embedding-limit = 0"));
    ok("remember", SEATS);
    assertThat(json("recall", "window", "--json").get("degraded").asString())
        .contains("Texts without a vector: 1", "caliber index embed");
    assertThat(ok("index", "embed")).contains("1 vectors, 0 texts wait");
    assertThat(json("recall", "window", "--json").has("degraded")).isFalse();
  }
}
